const CONTEXT_LINES = 3
const NO_NEWLINE = '\\ No newline at end of file'

/** What changes between two texts that differ in one place, as a unified diff; empty when nothing does. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return ''
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let tail = 0
  while (
    tail < old.length - start &&
    tail < now.length - start &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++
  const from = Math.max(0, start - CONTEXT_LINES)
  const trailing = Math.min(tail, CONTEXT_LINES)
  const oldEnd = old.length - tail
  const nowEnd = now.length - tail
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...now.slice(start, nowEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + trailing).map((line) => ` ${line}`),
  ]
  const range = (count: number): string => `${count === 0 ? from : from + 1},${count}`
  return [
    `--- ${before === '' ? '/dev/null' : file}`,
    `+++ ${file}`,
    `@@ -${range(oldEnd + trailing - from)} +${range(nowEnd + trailing - from)} @@`,
    // A line keeps its line end until here: a missing one at the end of the file is a difference too.
    ...hunk.map((line) => (line.endsWith('\n') ? line.slice(0, -1) : `${line}\n${NO_NEWLINE}`)),
    '',
  ].join('\n')
}

/** With their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
