/** A JSON pointer (RFC 6901) whose segments may be `*`, which stands for any one key or index. Covers what is below it. */
export interface PointerPattern {
  text: string
  segments: readonly string[]
}

/** Longest pattern, and most segments, that are read. */
const MAX_PATTERN_LENGTH = 2_000

/** One segment as a pointer has it: `~` and `/` escaped (RFC 6901, 3). */
export function pointerSegment(key: string | number): string {
  return String(key).replace(/~/g, '~0').replace(/\//g, '~1')
}

/** The pointer to a member or an item of the value at `path`. */
export function pointerTo(path: string, key: string | number): string {
  return `${path}/${pointerSegment(key)}`
}

export function pointerSegments(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'))
}

/** Reads a pattern, or says what is wrong with it. */
export function readPattern(text: string): PointerPattern | { problem: string } {
  if (text.length > MAX_PATTERN_LENGTH) return { problem: `is longer than ${MAX_PATTERN_LENGTH} characters` }
  if (!text.startsWith('/'))
    return { problem: 'is no JSON pointer: it begins with "/", for instance /result/content/*/text' }
  if (/~(?![01])/.test(text)) return { problem: 'is no JSON pointer: "~" is written as "~0", and "/" in a key as "~1"' }
  return { text, segments: pointerSegments(text) }
}

/** True when `path` is what the pattern names, or is below it. */
export function patternCovers(pattern: PointerPattern, path: readonly string[]): boolean {
  const { segments } = pattern
  if (segments.length > path.length) return false
  return segments.every((segment, index) => segment === '*' || segment === path[index])
}

/** True when `path` is exactly what the pattern names. */
export function patternNames(pattern: PointerPattern, path: readonly string[]): boolean {
  return pattern.segments.length === path.length && patternCovers(pattern, path)
}
