import { parseFilter } from './filter'

/** The term for exactly that name. */
export function filterTerm(key: string, name: string): string {
  return `${key}:${filterValue(`=${name}`)}`
}

/** A value as the filter's grammar reads it back: quoted where it has to be. */
export function filterValue(value: string): string {
  return /[\s"\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

/** The filter narrowed by one more term: each of its groups, so that `OR` stays what it was. Once is enough. */
export function narrowed(filter: string, term: string): string {
  const text = filter.trim()
  if (text === '') return term
  const ends = parseFilter(text)
    .tokens.filter((token) => token.kind === 'operator')
    .map(({ from, to }) => ({ end: from, next: to }))
  let from = 0
  const groups = [...ends, { end: text.length, next: text.length }].map(({ end, next }) => {
    const group = text.slice(from, end).trim()
    from = next
    return group === term || group.startsWith(`${term} `) || group.endsWith(` ${term}`) ? group : `${group} ${term}`
  })
  return groups.join(' OR ')
}
