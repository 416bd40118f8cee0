import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import spawn from 'cross-spawn'
import { endGroup, groupIsAlive } from './process-group'
import { LineSplitter, type OversizedLine } from './line-splitter'

export interface ServerProcessOptions {
  command: string
  args: readonly string[]
  cwd: string | undefined
  environment: Readonly<Record<string, string | undefined>>
  maxMessageBytes: number
  stopWaitMs: number
  onLine(text: string): void
  onOversized(line: OversizedLine): void
  onStderr(line: string): void
  /** Once, when the process has ended or could not be started, after its last line. */
  onEnd(how: string): void
}

/** Lines of stderr are for people; a longer one is cut into pieces. */
const STDERR_LINE_BYTES = 16_384
/** After its end the last output of a process is still waited for so long; a child of its own may hold the pipe open. */
const LAST_OUTPUT_MS = 100
/** A process whose output is closed is given so long to end by itself. */
const MUTE_MS = 500
/** A process that was killed and is still there after so long is left alone. */
const LAST_WAIT_MS = 5_000
/** Requests that a server does not read pile up here, beyond two of the largest messages it is taken for dead. */
const UNREAD_MESSAGES = 2

/** One server process, in a process group of its own, spoken to in lines. */
export class ServerProcess {
  readonly #child: ChildProcess | undefined
  readonly #options: ServerProcessOptions
  readonly #ended: Promise<void>
  #markEnded: () => void = () => undefined
  #over = false
  #stdoutOpen = true

  /** A process that cannot be started is one that ends at once. */
  constructor(options: ServerProcessOptions) {
    this.#options = options
    this.#ended = new Promise((resolve) => (this.#markEnded = resolve))
    try {
      this.#child = start(options)
      this.#listen(this.#child)
    } catch (error) {
      // Most failures come as an event; some (too long an argument list) are thrown.
      queueMicrotask(() => this.#end(this.#describeFailure(error instanceof Error ? error : new Error(String(error)))))
    }
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Rejects when the process does not take it. */
  write(line: string): Promise<void> {
    const stdin = this.#child?.stdin
    if (this.#over || stdin === null || stdin === undefined || !stdin.writable)
      return Promise.reject(new Error('the process has ended'))
    if (stdin.writableLength > UNREAD_MESSAGES * this.#options.maxMessageBytes)
      return Promise.reject(new Error('the process does not read its input: too much waits there'))
    return new Promise((resolve, reject) => {
      stdin.write(`${line}\n`, (error) => {
        if (error === null || error === undefined) resolve()
        else reject(new Error(`the process does not take its input (${error.message})`))
      })
    })
  }

  /** Closes stdin, then asks with SIGTERM, then kills, the whole group (2025-11-25 basic/lifecycle, "Shutdown"). Resolves when it has ended, or cannot be. */
  async stop(): Promise<void> {
    const { pid } = this
    this.#child?.stdin?.end()
    await this.#endedWithin(this.#options.stopWaitMs)
    if (pid === undefined) return
    if (!this.#over || groupIsAlive(pid)) await endGroup(pid, this.#options.stopWaitMs)
    await this.#endedWithin(LAST_WAIT_MS)
    this.#end('could not be ended')
  }

  #listen(child: ChildProcess): void {
    const { stdin, stdout, stderr } = child
    const { onLine, onOversized, onStderr, maxMessageBytes } = this.#options
    const output = new LineSplitter(maxMessageBytes, onLine, onOversized)
    const errors = new LineSplitter(STDERR_LINE_BYTES, onStderr, ({ bytes, head, tail }) => {
      onStderr(`${head} … (${bytes} bytes) … ${tail}`)
    })
    // What goes wrong on a pipe shows in the callbacks of writes and in the end of the process.
    stdin?.on('error', () => undefined)
    stdout?.on('error', () => undefined)
    stderr?.on('error', () => undefined)
    stdout?.on('data', (chunk: Buffer) => {
      if (!this.#over) output.push(chunk)
    })
    stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
    stderr?.on('end', () => errors.end())
    stdout?.on('end', () => {
      output.end()
      this.#stdoutOpen = false
      // A process that ends closes it too, a little before.
      const mute = setTimeout(() => this.#end('closed its output, and so can answer nothing any more'), MUTE_MS)
      child.once('exit', () => clearTimeout(mute))
    })
    child.once('error', (error) => this.#end(this.#describeFailure(error)))
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exited with code ${code ?? 0}` : `was ended by ${signal}`
      if (!this.#stdoutOpen) this.#end(how)
      else {
        const late = setTimeout(() => this.#end(how), LAST_OUTPUT_MS)
        stdout?.once('close', () => {
          clearTimeout(late)
          this.#end(how)
        })
      }
    })
  }

  #end(how: string): void {
    if (this.#over) return
    this.#over = true
    const { pid } = this
    // What it had started itself is of no use without it.
    if (pid !== undefined && groupIsAlive(pid)) void endGroup(pid, this.#options.stopWaitMs)
    this.#markEnded()
    this.#options.onEnd(how)
  }

  async #endedWithin(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.#ended, new Promise((resolve) => (timer = setTimeout(resolve, limitMs)))])
    clearTimeout(timer)
  }

  #describeFailure(error: Error): string {
    const { command, cwd, environment } = this.#options
    const code = (error as NodeJS.ErrnoException).code
    if (cwd !== undefined && !isFolder(cwd)) return `could not be started: the folder ${cwd} ("cwd") does not exist`
    if (code === 'ENOENT')
      return `could not be started: there is no program "${command}" (PATH is ${searchPath(environment) ?? 'not set'})`
    if (code === 'EACCES') return `could not be started: "${command}" may not be executed`
    return `could not be started: ${error.message}`
  }
}

function start({ command, args, cwd, environment }: ServerProcessOptions): ChildProcess {
  // Arguments go to the program as they are. Only the .cmd shims of Windows need a shell between, and there everything is
  // escaped for it (which is what cross-spawn is for).
  return spawn(command, [...args], {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what the server starts itself (npx does) ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
}

/** Windows has it in any case, most often as `Path`. */
function searchPath(environment: ServerProcessOptions['environment']): string | undefined {
  const name = environment.PATH === undefined ? Object.keys(environment).find((key) => /^path$/i.test(key)) : 'PATH'
  return name === undefined ? undefined : environment[name]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
