// `npm test`: everything, or `npm test -- e2e` for one part. Provides what is missing where it can, says in one line
// what was skipped and why, and ends with the sum. With SLUICE_TEST_ALL=1 whatever is skipped is a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildIfNeeded } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { packageUnpacked } from './package.mjs'
import { findElectron, root, whyNoDisplay } from './runtime.mjs'

const PARTS = { typecheck, lint, format, unit, build, e2e }
const asked = process.argv.slice(2).filter((argument) => argument in PARTS)
const passedOn = process.argv.slice(2).filter((argument) => !(argument in PARTS))
const reports = join(root, '.cache', 'reports')

const sum = { passed: 0, failed: 0, tests: 0 }
const skipped = []
const failures = []

mkdirSync(reports, { recursive: true })
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n── ${name}`)
  await part()
}
finish()

function typecheck() {
  step('the type check', npm('run', '--silent', 'typecheck'))
}
function lint() {
  step('lint', npm('run', '--silent', 'lint'))
}
function format() {
  step('the format check', npm('run', '--silent', 'format:check'))
}
function build() {
  try {
    buildIfNeeded(console.log)
  } catch (error) {
    fail(error.message)
  }
}

function unit() {
  const file = freshReport('vitest.json')
  const named = '--reporter=./scripts/second-tries.mjs'
  const status = node('node_modules/vitest/vitest.mjs', ['run', ...reporters('json', file), named, ...passedOn])
  const report = readReport(file)
  count('unit and integration tests', status, report?.numPassedTests, report?.numFailedTests, report?.numPendingTests)
}

async function e2e() {
  if (failures.includes('the build failed')) return skip('end-to-end tests', 'the build failed')
  if (asked.length > 0) build()
  const env = { ...process.env }
  const projects = []

  const electron = await electronForTests()
  if (electron.reason) skip('end-to-end tests in Electron', electron.reason)
  else {
    env.SLUICE_E2E_ELECTRON = electron.executable
    projects.push('--project=electron')
    try {
      env.SLUICE_E2E_PACKAGED = packageUnpacked(dirname(electron.executable), console.log).executable
      projects.push('--project=packaged')
    } catch (error) {
      fail(`the app could not be packaged: ${error.message}`)
    }
  }
  const chromium = await findChromium(console.log)
  if (chromium.reason) skip('end-to-end tests in a browser', chromium.reason)
  else {
    if (chromium.executable) env.SLUICE_E2E_CHROMIUM = chromium.executable
    projects.push('--project=browser')
  }
  if (projects.length === 0) return

  const file = freshReport('playwright.json')
  env.PLAYWRIGHT_JSON_OUTPUT_NAME = file
  const command = [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json']
  const status = run([...(electron.wrapper ?? []), ...command, ...projects, ...passedOn], env)
  const stats = readReport(file)?.stats
  count('end-to-end tests', status, stats && stats.expected + stats.flaky, stats?.unexpected, stats?.skipped)
  if (stats?.flaky > 0) console.log(`${stats.flaky} end-to-end tests passed only at the second try`)
}

/** As for `npm start`, but a virtual display will do. */
async function electronForTests() {
  const noDisplay = whyNoDisplay()
  const wrapper = noDisplay ? ['xvfb-run', '-a'] : []
  if (noDisplay && spawnSync('xvfb-run', ['--help']).error) return { reason: `${noDisplay}, and no xvfb-run` }
  const found = await findElectron(process.env, console.log)
  return found.reason ? found : { ...found, wrapper }
}

/** Adds one runner's result. A runner that says it failed, or ran nothing, is a failure even if it names none. */
function count(what, status, passed = 0, failed = 0, notRun = 0) {
  sum.passed += passed
  sum.failed += failed
  sum.tests += passed + failed
  if (failed > 0) failures.push(`${failed} of the ${what}`)
  else if (status !== 0) fail(`${what}: the runner ended with status ${status}`)
  else if (passed === 0) fail(`${what}: none was run`)
  if (notRun > 0) skip(`${notRun} of the ${what}`, 'they are marked so')
}

function step(what, status) {
  if (status !== 0) fail(`${what} failed`)
}
function fail(what) {
  sum.failed += 1
  failures.push(what)
}
function skip(what, reason) {
  skipped.push(`skipped: ${what} (${reason})`)
  if (process.env.SLUICE_TEST_ALL === '1') fail(`${what} skipped: ${reason}`)
}

function finish() {
  console.log('')
  for (const line of skipped) console.log(line)
  for (const failure of failures) console.log(`failed: ${failure}`)
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  process.exitCode = sum.failed > 0 ? 1 : 0
}

function npm(...arguments_) {
  // npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32'
  return spawnSync('npm', arguments_, { cwd: root, shell, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
}
function node(script, arguments_) {
  return run([process.execPath, script, ...arguments_])
}
function run([command, ...arguments_], env = process.env) {
  const result = spawnSync(command, arguments_, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.error) console.error(`${command}: ${result.error.message}`)
  return result.status ?? 1
}

function reporters(name, file) {
  return ['--reporter=default', `--reporter=${name}`, `--outputFile.${name}=${file}`]
}
function freshReport(name) {
  const file = join(reports, name)
  rmSync(file, { force: true })
  return file
}
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
