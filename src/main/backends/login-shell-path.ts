import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { endGroup } from './process-group'

export interface LoginShellOptions {
  environment?: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
  /** A shell whose start-up files wait for something is given up after so long. */
  limitMs?: number
}

const LIMIT_MS = 5_000
const MOST_OUTPUT = 1_048_576

/**
 * The PATH that the user's login shell sets up. Desktop environments start applications without it, and `npx`, `uvx` and
 * the like are then not found. Undefined on Windows, which has no such difference, and when the shell does not tell.
 */
export async function loginShellPath(options: LoginShellOptions = {}): Promise<string | undefined> {
  const { environment = process.env, platform = process.platform, limitMs = LIMIT_MS } = options
  if (platform === 'win32') return undefined
  const shell = environment.SHELL ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh')
  // Start-up files print what they like; the environment is what stands between the marks.
  const mark = randomUUID()
  const output = await outputOf(shell, `echo ${mark}; /usr/bin/env; echo ${mark}`, environment, limitMs)
  const told = output?.split(mark)[1]
  return told === undefined ? undefined : /^PATH=(.+)$/m.exec(told)?.[1]
}

/** Asks the shell once, when the PATH is first needed. */
export function rememberedLoginShellPath(options: LoginShellOptions = {}): () => Promise<string | undefined> {
  let asked: Promise<string | undefined> | undefined
  return () => (asked ??= loginShellPath(options))
}

function outputOf(
  shell: string,
  script: string,
  environment: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(shell, ['-ilc', script], {
      // Frameworks of zsh must neither ask to be updated nor open a multiplexer.
      env: { ...environment, DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
      stdio: ['ignore', 'pipe', 'ignore'],
      // Without a terminal to control, an interactive shell cannot stop this process's group.
      detached: true,
    })
    let output = ''
    const giveUp = (): void => {
      if (child.pid !== undefined) void endGroup(child.pid, 0)
      resolve(undefined)
    }
    const limit = setTimeout(giveUp, limitMs)
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (text: string) => {
      output += text
      if (output.length > MOST_OUTPUT) giveUp()
    })
    child.once('error', () => {
      clearTimeout(limit)
      resolve(undefined)
    })
    child.once('close', () => {
      clearTimeout(limit)
      resolve(output)
    })
  })
}
