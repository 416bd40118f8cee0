// `npm start`: the desk in a window; where no window can be opened, the same desk for a browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded } from './build.mjs'
import { electronSwitches, findElectron, root, whyNoDisplay } from './runtime.mjs'

const say = (line) => console.error(line)
const passedOn = process.argv.slice(2)

/** An Electron that fails this early had no usable display or lacks a system library. */
const EARLY_MS = 10_000
/** A configuration that cannot be used; a browser would not help. */
const WRONG_CONFIGURATION = 2

try {
  buildIfNeeded(say)
} catch (error) {
  say(`Sluice: ${error.message}`)
  process.exit(1)
}

const noDisplay = whyNoDisplay()
const runtime = noDisplay ? { reason: noDisplay } : await findElectron(process.env, say)
process.exitCode = runtime.reason ? await serveToBrowser(runtime.reason) : await openWindow(runtime.executable)

async function openWindow(executable) {
  const began = performance.now()
  const code = await run(executable, [root, ...electronSwitches(), ...passedOn])
  const early = performance.now() - began < EARLY_MS
  return code !== 0 && code !== WRONG_CONFIGURATION && early
    ? serveToBrowser(`Electron ended with code ${code} before a window was open`)
    : code
}

function serveToBrowser(reason) {
  say(`No window: ${reason}. Serving the desk to a browser instead:`)
  return run(process.execPath, [join(root, 'out', 'main', 'sluice.js'), 'serve', '--ui', ...passedOn])
}

/** Runs a child on this terminal; signals go on to it. Resolves with its exit code, 0 when a signal of ours ended it. */
function run(command, arguments_) {
  return new Promise((resolve) => {
    let told = false
    const child = spawn(command, arguments_, { cwd: root, stdio: 'inherit' })
    const forward = (signal) => {
      told = true
      child.kill(signal)
    }
    process.on('SIGINT', forward).on('SIGTERM', forward)
    const end = (code) => {
      process.off('SIGINT', forward).off('SIGTERM', forward)
      resolve(told ? 0 : code)
    }
    child.on('error', (error) => {
      say(`Sluice: ${command} could not be started: ${error.message}`)
      end(1)
    })
    child.on('exit', (code) => end(code ?? 1))
  })
}
