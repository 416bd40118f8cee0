import type { OperationReport, ReplayReport } from '../../shared/replay/report'

/** Longest text of one test case. */
const MAX_TEXT = 20_000

/** A replay as JUnit XML: a suite, a test case for each operation. Texts of servers are hostile; only text comes of them. */
export function junitXml(
  { counts, durationMs }: ReplayReport,
  operations: readonly OperationReport[],
  file: string,
): string {
  const { total, different, failed } = counts
  const facts = `tests="${total}" failures="${different}" errors="${failed}" skipped="${counts['not-sent']}"`
  const time = `time="${(durationMs / 1_000).toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice replay" ${facts} ${time}>`,
    `  <testsuite name="${escaped(file)}" ${facts} ${time}>`,
    ...operations.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** A replay that sent nothing: one test case, which says why. */
export function junitOfProblem(problem: string, file: string): string {
  const facts = 'tests="1" failures="0" errors="1" skipped="0" time="0.000"'
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice replay" ${facts}>`,
    `  <testsuite name="${escaped(file)}" ${facts}>`,
    `    <testcase classname="sluice" name="replay" time="0.000"><error message="${escaped(problem)}"/></testcase>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ call, method, name, backend, outcome, reason, rounds }: OperationReport): string {
  const title = `${method}${name === null ? '' : ` ${name}`} (call ${call})`
  const micros = rounds.reduce((sum, { timing }) => sum + (timing.now.answer ?? 0), 0)
  const open = `    <testcase classname="${escaped(backend ?? 'no backend')}" name="${escaped(title)}" time="${(micros / 1e6).toFixed(3)}"`
  if (outcome === 'same') return `${open}/>`
  const why = escaped(reason ?? '')
  if (outcome === 'not-sent') return `${open}><skipped message="${why}"/></testcase>`
  if (outcome === 'failed') return `${open}><error message="${why}"/></testcase>`
  const differences = rounds.flatMap((round) =>
    round.differences.map(
      ({ path, was, now }) =>
        `call ${round.call} ${path}: ${JSON.stringify(was) ?? 'nothing'} → ${JSON.stringify(now) ?? 'nothing'}`,
    ),
  )
  const message = escaped(reason ?? `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`)
  return `${open}><failure message="${message}">${escaped(differences.join('\n'))}</failure></testcase>`
}

/** For text and attributes; characters that XML 1.0 has not (2.2) are replaced. */
function escaped(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  return cut
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
