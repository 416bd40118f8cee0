import { constants, existsSync } from 'node:fs'
import { access, mkdtemp, open, realpath, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { allRows, selectCalls, type PartTest } from '../../shared/capture/call-selection'
import { isDamaged } from '../../shared/capture/notes'
import { compareRules, type CompareRules } from '../../shared/replay/compare-rules'
import type { ReplayPlan } from '../../shared/replay/plan'
import type { OperationReport, ReplayReport } from '../../shared/replay/report'
import { describeFileError } from '../capture/append-file'
import type { OpenedCapture } from '../capture/opened/open-capture'
import { isSameFile } from '../capture/same-file'
import { startSluice, type RunningSluice } from '../composition'
import { printNotice } from '../print-notice'
import { ConfigurationError } from '../config/configuration-error'
import { dataDirectory, readVersion } from '../places'
import { currentTools } from '../replay/current-tools'
import { planReplay } from '../replay/plan-replay'
import { runReplay } from '../replay/run-replay'
import { keepAnswers } from '../replay/update-capture'
import { openWithProgress } from './capture-info'
import { readFrom } from './file-argument'
import { noConfigurationText } from './replay-backends'
import { junitOfProblem, junitXml } from './replay-junit'
import { consentText, planText, reportText } from './replay-output'
import { plainText } from '../plain-text'
import { CANNOT, CommandProblem, runCommand, showProgress } from './terminal'

interface ReplayFlags {
  config?: string
  ignore: string[]
  unordered: string[]
  exact: boolean
  only?: string
  map: Record<string, string>
  pacing: 'in-order' | 'captured'
  concurrency?: number
  update: boolean
  yes: boolean
  dryRun: boolean
  json: boolean
  junit?: string
  capture?: string
  data: string
}

const HELP = `
Calls go through the gateway to the backends of the configuration, and what comes back is compared with what was
recorded. POINTER is a JSON pointer into an answer, "*" stands for any key or index: /result/content/*/text, or
/frames/*/params/message for progress and logs. Ids, times, states and tokens are ignored from the start.

Exits with 0 when nothing differs, with 1 when something does, with 2 when it could not do its work: a backend that is
down, a file that is no capture, consent that is missing. With --update it exits with 0 when all that differs was kept.`

export function addReplayCommand(program: Command): void {
  const more = (value: string, before: string[]): string[] => [...before, value]
  program
    .command('replay')
    .description('send the calls of a capture again, and compare the answers')
    .argument('<file>', 'capture file', readFrom)
    .option('--config <file>', 'configuration with the backends (default: sluice.json in the data folder)')
    .option('--ignore <pointer>', 'what does not count as a difference (repeatable)', more, [])
    .option('--unordered <pointer>', 'a list whose order does not count (repeatable)', more, [])
    .option('--exact', 'count ids, times, states and tokens too', false)
    .option('--only <filter>', 'only calls that a filter matches, with the other rounds of their operations')
    .option(
      '--map <recorded=current>',
      'where the calls of a recorded backend go; nowhere without a name behind = (repeatable)',
      readMapping,
      {},
    )
    .addOption(
      new Option('--pacing <pacing>', 'one after the other, or each at its time')
        .choices(['in-order', 'captured'])
        .default('in-order'),
    )
    .option('--concurrency <number>', 'how many at once (default: 1, or 64 with the captured pacing)', readCount)
    .option('--update', 'keep the new answers in the capture as what is expected', false)
    .option('--yes', 'send tools that are not annotated as read-only, too', false)
    .option('--dry-run', 'show what would be sent, and send nothing', false)
    .option('--json', 'a difference a line as NDJSON, last a summary', false)
    .option('--junit <file>', 'write a JUnit report')
    .option('--capture <file>', 'keep what this run records')
    .option('--data <folder>', 'where keys, and indexes of large captures, are kept', dataDirectory())
    .addHelpText('after', HELP)
    .action((file: string, flags: ReplayFlags) => runCommand((signal) => replay(file, flags, signal)))
}

/** Answers with the exit code. */
async function replay(file: string, flags: ReplayFlags, signal: AbortSignal): Promise<number> {
  const { ignore, unordered, exact } = flags
  const read = compareRules({ ignore, unordered, exact })
  if ('problem' in read) throw new CommandProblem(`--ignore or --unordered: ${read.problem}`)
  const configFile = flags.config ?? join(flags.data, 'sluice.json')
  for (const other of [file, configFile, flags.capture])
    if (flags.junit !== undefined && other !== undefined && isSameFile(flags.junit, other))
      throw new CommandProblem(`--junit: ${flags.junit} is in use already; name another file for the report`)
  let begun = false
  try {
    if (flags.capture !== undefined && isSameFile(flags.capture, file))
      throw new CommandProblem(
        `--capture: ${flags.capture} is the file that is replayed; name another one to record to`,
      )
    return await replayFile(file, configFile, read.rules, flags, signal, () => (begun = true))
  } catch (error) {
    // Where operations were sent, the report of them is there.
    if (!begun && !signal.aborted && error instanceof Error) await tellProblem(error.message, file, flags)
    if (!(error instanceof ConfigurationError)) throw error
    console.error(`sluice: ${error.message}`)
    return CANNOT
  }
}

async function replayFile(
  file: string,
  configFile: string,
  rules: CompareRules,
  flags: ReplayFlags,
  signal: AbortSignal,
  onBegin: () => void,
): Promise<number> {
  const capture = await openWithProgress(file, flags.data, signal)
  // Calls that are missing cannot differ: an exit code of 0 says less than it seems to.
  if (isDamaged(capture.notes))
    console.error(
      `sluice: warning: not all of ${plainText(capture.path)} could be read; sluice capture verify says what is missing`,
    )
  if (flags.config === undefined && !existsSync(configFile)) {
    await capture.close()
    throw new CommandProblem(noConfigurationText(configFile, capture.header.backends))
  }
  const folder = await mkdtemp(join(tmpdir(), 'sluice-replay-'))
  let sluice: RunningSluice | undefined
  try {
    sluice = await start(flags, configFile, folder)
    return await replayWith(sluice, capture, rules, flags, signal, onBegin)
  } finally {
    await sluice?.close()
    await capture.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A gateway for this run alone, with keys of its own. */
function start(flags: ReplayFlags, configFile: string, folder: string): Promise<RunningSluice> {
  return startSluice({
    configFile,
    port: 0,
    dataDirectory: folder,
    captureFile: flags.capture ?? null,
    demo: false,
    ui: false,
    env: process.env,
    onNotice: ({ level, text, backend }) => {
      // Of backends it is said which of those are lacking that calls would go to.
      if (level === 'warning' && backend === undefined) printNotice({ level, text })
    },
  })
}

async function replayWith(
  { replayTarget: target }: RunningSluice,
  capture: OpenedCapture,
  rules: CompareRules,
  flags: ReplayFlags,
  signal: AbortSignal,
  onBegin: () => void,
): Promise<number> {
  const version = readVersion()
  const plan = await planned(capture, target, version, flags, signal)
  const lacking = await lackingBackends(plan, target, flags.map)
  if (flags.dryRun) {
    if (flags.json) for (const operation of plan.operations) console.log(JSON.stringify(operation))
    console.log(flags.json ? JSON.stringify({ event: 'summary', dryRun: true, ...plan.counts }) : planText(plan))
    for (const problem of lacking) console.error(`sluice: ${plainText(problem)}`)
    if (plan.counts.sent === 0) console.error('sluice: there is nothing to send')
    return lacking.length > 0 || plan.counts.sent === 0 ? CANNOT : 0
  }
  if (lacking.length > 0) throw new CommandProblem(lacking.join('; '))
  if (plan.counts.sent === 0) {
    console.error(planText(plan))
    throw new CommandProblem('there is nothing to send')
  }
  if (plan.counts.consent > 0 && !flags.yes) await confirm(plan, signal)
  // Calls cannot be taken back when the end of the run finds that it cannot write.
  if (flags.update) await mustBeReplaceable(capture.path)
  if (flags.junit !== undefined)
    await mustBeWritable(flags.junit, existsSync(flags.junit) ? flags.junit : dirname(flags.junit))
  onBegin()
  const progress = showProgress('Replaying')
  const operations: OperationReport[] = []
  const { pacing, concurrency } = flags
  const options = { pacing, rules, version, signal, consented: () => true, ...(concurrency && { concurrency }) }
  const run = runReplay(plan, { capture, target }, options, ({ done, total, operation }) => {
    progress.update(done, total)
    operations.push(operation)
    if (flags.json) printDifferences(operation)
  })
  const report = await run.report.finally(() => progress.end())
  tell(report, flags)
  if (flags.junit !== undefined) await writeJunit(flags.junit, junitXml(report, operations, basename(capture.path)))
  signal.throwIfAborted()
  if (report.counts.failed > 0) return CANNOT
  if (!flags.update) return report.counts.different > 0 ? 1 : 0
  const { updated, kept } = await keepAnswers(capture, plan, operations, target)
  if (updated > 0) console.error(`sluice: ${plainText(capture.path)}: ${updated} calls have the new answers now`)
  if (kept.length === 0) return 0
  console.error(`sluice: left as they are, since a part of them was not sent: calls ${kept.join(', ')}`)
  return 1
}

async function planned(
  capture: OpenedCapture,
  target: RunningSluice['replayTarget'],
  version: string,
  { only, map }: ReplayFlags,
  signal: AbortSignal,
): Promise<ReplayPlan> {
  const chosen = only === undefined ? undefined : await chosenCalls(capture, only, signal)
  const tools = currentTools(target, version)
  const progress = showProgress('Planning')
  const backends = target.backends()
  for (const to of Object.values(map))
    if (to !== '' && !backends.includes(to))
      throw new CommandProblem(`--map: there is no backend "${to}" in the configuration, only ${backends.join(', ')}`)
  const recorded = recordedBackends(capture)
  for (const from of Object.keys(map))
    if (!recorded.has(from))
      throw new CommandProblem(
        `--map: the capture has no backend "${from}", only ${[...recorded].join(', ') || 'none'}`,
      )
  return planReplay({
    capture,
    selected: ({ call }) => chosen?.calls.has(call) ?? true,
    ...(chosen !== undefined && { isPart: chosen.isPart }),
    mapping: map,
    backends,
    tools: async (backend) => ((await target.problem(backend)) === undefined ? tools(backend) : new Map()),
    signal,
    onProgress: progress.update,
  }).finally(() => progress.end())
}

/** Those that the header names, and those that calls went to: a backend may have come after the capture began. */
function recordedBackends({ header, index }: OpenedCapture): Set<string> {
  const names = new Set(header.backends.map(({ name }) => name))
  for (const { backend, backends } of allRows(index))
    for (const name of backend === null ? backends : [backend, ...backends]) names.add(name)
  return names
}

async function chosenCalls(
  capture: OpenedCapture,
  only: string,
  signal: AbortSignal,
): Promise<{ calls: ReadonlySet<number>; isPart: PartTest }> {
  const found = await selectCalls(
    {
      list: (after, limit) => capture.index.list(after, limit),
      operation: (operation) => capture.index.operation(operation),
      search: (text) => capture.search(text, signal),
    },
    only,
  )
  signal.throwIfAborted()
  if ('problem' in found) throw new CommandProblem(found.problem)
  if (found.calls.size === 0) throw new CommandProblem('no call matches the filter')
  return found
}

/** Why backends that calls would go to cannot be used. */
async function lackingBackends(
  plan: ReplayPlan,
  target: RunningSluice['replayTarget'],
  map: ReplayFlags['map'],
): Promise<string[]> {
  const problems = plan.mapping
    .filter(({ from, to }) => to === null && map[from] !== '')
    .map(
      ({ from }) =>
        `the configuration has no backend for "${from}"; say where its calls go with --map ${from}=NAME, or leave them out with --map ${from}=`,
    )
  const used = new Set(plan.operations.filter(({ problem }) => problem === null).map(({ backend }) => backend))
  for (const backend of used) {
    const problem = backend === null ? undefined : await target.problem(backend)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/** Rejects with `CommandProblem` when the user does not agree, or cannot be asked. */
async function confirm(plan: ReplayPlan, signal: AbortSignal): Promise<void> {
  console.error(consentText(plan))
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw new CommandProblem('nothing was sent: give --yes to send these too, or leave them out with --only')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question('Send them? [y/N] ', { signal })
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandProblem('nothing was sent')
  } finally {
    terminal.close()
  }
}

function printDifferences({ name, method, rounds }: OperationReport): void {
  for (const { call, differences } of rounds)
    for (const { path, was, now } of differences)
      console.log(JSON.stringify({ call, name: name ?? method, path, was, now }))
}

function tell(report: ReplayReport, { json }: ReplayFlags): void {
  if (!json) {
    console.log(reportText(report))
    return
  }
  const { counts, groups, operations, stopped, durationMs } = report
  const problems = operations
    .filter(({ outcome, reason }) => outcome !== 'same' && reason !== undefined)
    .map(({ call, name, method, outcome, reason }) => ({ call, name: name ?? method, outcome, reason }))
  const { 'not-sent': notSent, ...others } = counts
  console.log(JSON.stringify({ event: 'summary', ...others, notSent, stopped, durationMs, groups, problems }))
}

/** Why nothing was sent, where the report would be: who waits for one finds it. */
async function tellProblem(problem: string, file: string, { json, junit }: ReplayFlags): Promise<void> {
  const counts = { total: 0, same: 0, different: 0, failed: 0, notSent: 0 }
  const rest = { stopped: false, durationMs: 0, groups: [], problems: [] }
  if (json) console.log(JSON.stringify({ event: 'summary', ...counts, ...rest, problem }))
  if (junit !== undefined) await writeJunit(junit, junitOfProblem(problem, basename(file)))
}

/** Rejects with `CommandProblem` when `file` could not be written, for which `place` must be writable. */
async function mustBeWritable(file: string, place: string): Promise<void> {
  try {
    await access(place, constants.W_OK)
  } catch (error) {
    throw new CommandProblem(`${describeFileError(error, file, 'output')}; nothing was sent`)
  }
}

/**
 * Rejects with `CommandProblem` when `file` could not be replaced. That takes a new file in its folder; but who made the
 * file read-only wants it to stay.
 */
async function mustBeReplaceable(file: string): Promise<void> {
  const folder = dirname(await realpath(file))
  let place = file
  try {
    await (await open(file, 'r+')).close()
    place = folder
    await rmdir(await mkdtemp(join(folder, '.sluice-')))
  } catch (error) {
    throw new CommandProblem(`${describeFileError(error, place, 'output')}; nothing was sent`)
  }
}

/** For this user only: answers may be confidential. */
async function writeJunit(file: string, xml: string): Promise<void> {
  try {
    const handle = await open(file, 'w', 0o600)
    try {
      // It may have been there, for everyone to read; or be no file at all, as /dev/stdout.
      if ((await handle.stat()).isFile()) await handle.chmod(0o600)
      await handle.writeFile(xml)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new CommandProblem(`the JUnit report is not there: ${describeFileError(error, file, 'output')}`)
  }
}

function readMapping(text: string, before: Record<string, string>): Record<string, string> {
  const [from, to, ...rest] = text.split('=')
  if (from === undefined || from === '' || to === undefined || rest.length > 0)
    throw new InvalidArgumentError(
      'A mapping is RECORDED=CURRENT, with the names of two backends, or RECORDED= to leave one out.',
    )
  return { ...before, [from]: to }
}

function readCount(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > 1_000) throw new InvalidArgumentError('A number from 1 to 1000.')
  return number
}
