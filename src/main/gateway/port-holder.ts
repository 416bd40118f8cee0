import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Who listens on a loopback TCP port, for instance `node (pid 4711)`; undefined when it cannot be found out. */
export async function portHolder(port: number): Promise<string | undefined> {
  try {
    return process.platform === 'linux' ? await holderFromProc(port) : await holderFromLsof(port)
  } catch (error) {
    // Only a courtesy in a message: another user's processes are not readable, or the tool is missing.
    if (error instanceof Error) return undefined
    throw error
  }
}

async function holderFromProc(port: number): Promise<string | undefined> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const inodes = new Set<string>()
  for (const line of tables.join('\n').split('\n')) {
    const fields = line.trim().split(/\s+/)
    const LISTEN = '0A'
    if (fields[1]?.endsWith(suffix) === true && fields[3] === LISTEN && fields[9] !== undefined)
      inodes.add(`socket:[${fields[9]}]`)
  }
  if (inodes.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
      if (inodes.has(target)) return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()} (pid ${pid})`
    }
  }
  return undefined
}

async function holderFromLsof(port: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    timeout: 2_000,
  })
  const pid = /^p(\d+)$/m.exec(stdout)?.[1]
  const name = /^c(.+)$/m.exec(stdout)?.[1]
  return pid === undefined ? undefined : `${name ?? 'a process'} (pid ${pid})`
}
