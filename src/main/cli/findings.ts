import { isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, Option } from 'commander'
import { guideOf } from '../../shared/findings/guide'
import { sarifLog, type PlacedFinding } from '../../shared/findings/sarif'
import { findingsIn, linesOf, type FoundInCall } from '../capture/export/capture-findings'
import { dataDirectory, readVersion } from '../places'
import { openWithProgress } from './capture-info'
import { callsOf } from './capture-rewrite'
import { readFrom } from './file-argument'
import { plainText } from '../plain-text'
import { runCommand } from './terminal'

interface FindingsFlags {
  data: string
  format: 'text' | 'json' | 'sarif'
  json: boolean
  sarif: boolean
  only?: string
  failOn: 'error' | 'warning' | 'never'
}

export function addFindingsCommand(program: Command): void {
  program
    .command('findings')
    .description('what breaks or bends the protocol in a capture, for CI')
    .argument('<file>', 'capture file', readFrom)
    .addOption(new Option('--format <format>', 'how to say it').choices(['text', 'json', 'sarif']).default('text'))
    .option('--json', 'the same as --format json: a finding a line, last a summary', false)
    .option('--sarif', 'the same as --format sarif: SARIF 2.1.0, for code scanning', false)
    .option('--only <filter>', 'calls that a filter matches')
    .addOption(
      new Option('--fail-on <severity>', 'which findings make the command exit with 1')
        .choices(['error', 'warning', 'never'])
        .default('error'),
    )
    .option('--data <folder>', 'where keys, and indexes of large captures, are kept', dataDirectory())
    .addHelpText(
      'after',
      '\nExits with 0 when nothing is found that --fail-on names, with 1 else, with 2 when FILE is no capture.',
    )
    .action((file: string, flags: FindingsFlags) => findings(file, flags))
}

function findings(file: string, flags: FindingsFlags): Promise<void> {
  return runCommand(async (signal) => {
    const capture = await openWithProgress(file, flags.data, signal)
    const found: FoundInCall[] = []
    try {
      const matches = await callsOf(capture, flags, signal)
      for await (const one of findingsIn(capture, matches, signal)) found.push(one)
    } finally {
      await capture.close()
    }
    const format = flags.sarif ? 'sarif' : flags.json ? 'json' : flags.format
    const lines = format === 'text' ? new Map<number, number>() : await linesOf(file, new Set(seqsOf(found)))
    const placed = found.map((one) => ({ ...one, line: one.seq === undefined ? undefined : lines.get(one.seq) }))
    if (format === 'sarif') console.log(JSON.stringify(sarifLog(placed, uriOf(file), readVersion()), null, 2))
    else if (format === 'json') printJson(placed)
    else printText(found)
    const worst = found.some(({ severity }) => severity === 'error') ? 2 : found.length > 0 ? 1 : 0
    return worst >= { error: 2, warning: 1, never: 3 }[flags.failOn] ? 1 : 0
  })
}

function seqsOf(found: readonly FoundInCall[]): number[] {
  return found.map(({ seq }) => seq).filter((seq) => seq !== undefined)
}

/** Relative to here where that is possible, as code scanning wants it. */
function uriOf(file: string): string {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file
  if (path.startsWith('..') || isAbsolute(path)) return pathToFileURL(file).href
  return path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}

function countsOf(found: readonly Pick<FoundInCall, 'call' | 'severity'>[]): {
  findings: number
  calls: number
  errors: number
  warnings: number
} {
  const errors = found.filter(({ severity }) => severity === 'error').length
  const calls = new Set(found.map(({ call }) => call)).size
  return { findings: found.length, calls, errors, warnings: found.length - errors }
}

function printJson(placed: readonly PlacedFinding[]): void {
  for (const finding of placed) console.log(JSON.stringify(finding))
  console.log(JSON.stringify({ summary: countsOf(placed) }))
}

/** Each finding in a line, then what each rule wants, once. */
function printText(found: readonly FoundInCall[]): void {
  for (const { call, method, target, severity, rule, leg, message, spec } of found) {
    const what = [method, target].filter((part) => part !== null).join(' ')
    console.log(`call ${call}  ${plainText(what, 100)}`)
    console.log(`  ${severity}  ${rule}  ${leg} leg  ${plainText(message)}  (${spec})`)
  }
  const rules = new Map<string, number>()
  for (const { rule } of found) rules.set(rule, (rules.get(rule) ?? 0) + 1)
  for (const [rule, times] of rules) printRule(rule, times)
  const { findings, calls, errors, warnings } = countsOf(found)
  const sum =
    findings === 0
      ? 'no findings'
      : `findings: ${findings} (errors: ${errors}, warnings: ${warnings}), in calls: ${calls}`
  console.log(found.length === 0 ? sum : `\n${sum}`)
}

function printRule(rule: string, times: number): void {
  const guide = guideOf(rule)
  if (guide === undefined) return
  const { title, why, look } = guide
  console.log(`\n${rule} (${times} ×): ${title}`)
  console.log(wrapped(why, '  '))
  console.log(wrapped(`→ ${look}`, '  '))
}

const COLUMNS = 100

function wrapped(text: string, indent: string): string {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > COLUMNS) {
      lines.push(line)
      line = indent
    }
    line += line.length > indent.length ? ` ${word}` : word
  }
  return [...lines, line].join('\n')
}
