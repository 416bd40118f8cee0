/** What of the page's address and storage the token needs; `window` fits. */
export interface TokenPlace {
  location: { href: string }
  history: { replaceState(data: unknown, unused: string, url: string): void; state: unknown }
  sessionStorage: Pick<Storage, 'getItem' | 'setItem'>
}

const KEY = 'sluice.token'

/**
 * The token of this run: from the address (`?token=…`), which is then cleaned of it so that it is not shared by
 * accident, or from this tab's storage after a reload. Empty when there is none.
 */
export function takeToken(place: TokenPlace): string {
  const url = new URL(place.location.href)
  const given = url.searchParams.get('token')
  if (given === null || given === '') return place.sessionStorage.getItem(KEY) ?? ''
  place.sessionStorage.setItem(KEY, given)
  url.searchParams.delete('token')
  place.history.replaceState(place.history.state, '', url.href)
  return given
}
