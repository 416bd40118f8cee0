import { parseFilter } from './filter'

/** A value as the filter's grammar reads it back: quoted where it has to be. */
export function filterValue(value: string): string {
  return /[\s"\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

/** The term for exactly that name. */
export function filterTerm(key: string, name: string): string {
  return `${key}:${filterValue(`=${name}`)}`
}

/** The filter narrowed by one more term: each of its groups, so that `OR` stays what it was. Once is enough. */
export function narrowed(filter: string, term: string): string {
  const written = groupsOf(closed(filter))
  // An `OR` that waits for its term yet is none.
  const groups = written
    .filter((group) => group !== '')
    .map((group) => {
      if (group === term) return term
      return group.startsWith(`${term} `) || group.endsWith(` ${term}`) ? group : `${group} ${term}`
    })
  return groups.length === 0 ? term : groups.join(' OR ')
}

/** A quote that does not end would take in whatever is written behind it. */
function closed(filter: string): string {
  const open = parseFilter(filter).tokens.find(
    ({ kind, from, to }) => kind === 'problem' && to === filter.length && filter.slice(from).startsWith('"'),
  )
  return open === undefined ? filter : `${filter}"`
}

/** The filter without the terms of a key, negated ones too. A group with nothing else is left out. */
export function withoutKey(filter: string, key: string): string {
  const rest = groupsOf(filter, (text) => text.toLowerCase() === `${key}:`)
  return rest.filter((group) => group !== '').join(' OR ')
}

/** The groups of a filter as they are written, without terms of keys that `drop` names. */
function groupsOf(filter: string, drop: (keyText: string) => boolean = () => false): string[] {
  const { tokens } = parseFilter(filter)
  const groups: string[][] = [[]]
  let from = 0
  const keep = (to: number) => groups.at(-1)?.push(filter.slice(from, to).trim())
  tokens.forEach((token, index) => {
    if (token.kind === 'operator') {
      keep(token.from)
      groups.push([])
      from = token.to
    } else if (token.kind === 'key' && drop(filter.slice(token.from, token.to))) {
      const before = tokens[index - 1]
      keep(before?.kind === 'negation' && before.to === token.from ? before.from : token.from)
      // The value, or what is wrong with it.
      from = tokens[index + 1]?.to ?? token.to
    }
  })
  keep(filter.length)
  return groups.map((parts) => parts.filter((part) => part !== '').join(' '))
}
