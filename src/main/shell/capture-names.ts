/** Switches whose value is the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--config', '--port', '--data', '--capture'])
const CAPTURE = /\.(sluice|ndjson|har)$/i

/** The words of a command line that name capture files to open: no switches, and no values of switches. */
export function captureNames(argv: readonly string[]): string[] {
  return argv.filter((word, at) => {
    if (word.startsWith('-') || !CAPTURE.test(word)) return false
    return !WITH_VALUE.has(argv[at - 1] ?? '')
  })
}
