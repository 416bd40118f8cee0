import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** The suite needs Node 22 (`fs.globSync`), which the `node` package brings along. */
const SUITE = ['-y', '-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12', 'conformance']

const Check = z.looseObject({ id: z.string(), status: z.string(), errorMessage: z.string().optional() })
const Checks = z.array(Check)

export interface Outcome {
  status: string
  message?: string
}
/** Outcomes by scenario, then by check; a check that a scenario runs several times is `id`, `id #2`, … */
export type Results = Map<string, Map<string, Outcome>>

export interface SuiteRun {
  results: Results
  /** The suite's own verdict: every scenario that the revision requires passed. */
  conforms: boolean
}

/**
 * Runs the official suite's server scenarios of one revision against `url` and reads what it wrote to `directory`.
 * Rejects with the suite's output when it left no results, e.g. because it could not be installed.
 */
export async function runSuite(url: string, revision: string, directory: string): Promise<SuiteRun> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const { output, exitCode } = await run('npx', [
    ...SUITE,
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '-o',
    directory,
  ])
  const results = await readResults(directory)
  if (results.size === 0) throw new Error(`the conformance suite left no results for ${url}:\n${output}`)
  return { results, conforms: exitCode === 0 }
}

/** Client scenarios of 2026-07-28 but `auth/…`: those name the URL of the server, which is another one behind a gateway. */
export const CLIENT_SCENARIOS = [
  'tools_call',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
] as const

/** The suite is the server; `client-leg.ts` puts the gateway and a client before it. */
export async function runClientScenario(
  scenario: string,
  revision: string,
  directory: string,
): Promise<{ outcomes: Map<string, Outcome>; conforms: boolean; report: string }> {
  const folder = join(directory, scenario)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const client = `${process.execPath} --import tsx ${fileURLToPath(new URL('./client-leg.ts', import.meta.url))}`
  const { output, exitCode } = await run('npx', [
    ...SUITE,
    'client',
    '--command',
    client,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '-o',
    folder,
  ])
  const [made] = await readdir(folder)
  const outcomes = made === undefined ? new Map<string, Outcome>() : await readChecks(join(folder, made))
  return { outcomes, conforms: exitCode === 0 && outcomes.size > 0, report: output }
}

async function readChecks(folder: string): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  for (const check of Checks.parse(JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8')))) {
    let key = check.id
    for (let again = 2; outcomes.has(key); again += 1) key = `${check.id} #${again}`
    outcomes.set(key, {
      status: check.status,
      ...(check.errorMessage === undefined ? {} : { message: check.errorMessage }),
    })
  }
  return outcomes
}

async function readResults(directory: string): Promise<Results> {
  const results: Results = new Map()
  for (const folder of (await readdir(directory)).sort()) {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1]
    if (!scenario) continue
    results.set(scenario, await readChecks(join(directory, folder)))
  }
  return results
}

function run(command: string, parameters: string[]): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 })
    let output = ''
    const keep = (piece: Buffer): void => {
      output += piece.toString('utf8')
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ output, exitCode }))
  })
}
