/** The `<backend>__` that a name on the aggregate endpoint begins with, or nothing, and the rest of it. */
export function partsOf(name: string): [backend: string, own: string] {
  const at = name.indexOf('__')
  return at <= 0 || at + 2 >= name.length ? ['', name] : [name.slice(0, at + 2), name.slice(at + 2)]
}
