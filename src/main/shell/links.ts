/** What a `sluice://` link asks for. Links come from anywhere: nothing of it is done without consent. */
export type Link = { kind: 'add-backend'; name: string; url: string } | { kind: 'refused'; reason: string }

export const LINK_SCHEME = 'sluice'
const MAX_LENGTH = 4_096
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** The link among the words of a command line, which is how Linux and Windows hand one over. */
export function linkAmong(argv: readonly string[]): string | undefined {
  return argv.find((word) => word.toLowerCase().startsWith(`${LINK_SCHEME}://`))
}

/** `sluice://add-backend?name=<name>&url=<http or https URL>`. */
export function readLink(text: string): Link {
  if (text.length > MAX_LENGTH) return refused(`it is longer than ${MAX_LENGTH} characters`)
  if (!URL.canParse(text)) return refused('it is no URL')
  const { protocol, host, pathname, searchParams } = new URL(text)
  if (protocol !== `${LINK_SCHEME}:`) return refused(`it does not begin with ${LINK_SCHEME}://`)
  // Not every system leaves an empty path as it is.
  if (host !== 'add-backend' || !/^\/?$/.test(pathname))
    return refused(`Sluice knows ${LINK_SCHEME}://add-backend?name=…&url=… only`)
  const name = searchParams.get('name') ?? ''
  const url = searchParams.get('url') ?? ''
  if (!NAME.test(name)) return refused('its name must be 1 to 64 letters, digits, "-" or "_"')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return refused('its url must be an http or https URL')
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') return refused('its url must not carry a user name or password')
  return { kind: 'add-backend', name, url }
}

function refused(reason: string): Link {
  return { kind: 'refused', reason }
}
