import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Keys that seal request states. New states use `current`; all can open. Secrets are 32 bytes (A256GCM). */
export interface StateKeys {
  current: string
  secrets: ReadonlyMap<string, Uint8Array>
}

const KeyId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'a key id has 1 to 64 letters, digits, ".", "_" or "-"')
const Secret = z
  .string()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((bytes) => bytes.length === 32, 'a key is 32 bytes as base64url')
const KeyFile = z.object({ current: KeyId, keys: z.record(KeyId, Secret) })

const FILE = 'state-keys.json'

/**
 * The keys from `SLUICE_STATE_KEYS` (`kid:base64url[,kid:base64url…]`, the first one seals; give several instances the
 * same value), else from `state-keys.json` in the data folder, which is created on the first run with mode 0600.
 */
export async function loadStateKeys(dataDirectory: string, env: NodeJS.ProcessEnv): Promise<StateKeys> {
  const given = env.SLUICE_STATE_KEYS
  if (given !== undefined && given !== '') return keysFromText(given)
  const file = join(dataDirectory, FILE)
  const existing = await readKeyFile(file)
  if (existing !== undefined) return existing
  const kid = `k-${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`
  const text = JSON.stringify({ current: kid, keys: { [kid]: randomBytes(32).toString('base64url') } }, null, 2)
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(3).toString('hex')}`
  await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' })
  try {
    // A hard link fails if another instance was faster, whose key then counts for both.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  const created = await readKeyFile(file)
  if (created === undefined) throw new Error(`The key file ${file} disappeared while it was being created.`)
  return created
}

export function keysFromText(text: string): StateKeys {
  const secrets = new Map<string, Uint8Array>()
  for (const part of text.split(',')) {
    const colon = part.indexOf(':')
    const kid = KeyId.safeParse(part.slice(0, colon).trim())
    const secret = Secret.safeParse(part.slice(colon + 1).trim())
    if (colon < 0 || !kid.success || !secret.success) {
      throw new Error(
        'SLUICE_STATE_KEYS must be "kid:key[,kid:key…]", each key 32 bytes as base64url. Make one with: openssl rand -base64 32 | tr "+/" "-_" | tr -d "="',
      )
    }
    secrets.set(kid.data, secret.data)
  }
  const current = secrets.keys().next().value
  if (current === undefined) throw new Error('SLUICE_STATE_KEYS holds no key.')
  return { current, secrets }
}

async function readKeyFile(file: string): Promise<StateKeys | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  await chmod(file, 0o600)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new Error(
      `The key file ${file} is not JSON. Restore it, or remove it to make a new key (open request states become invalid).`,
      { cause },
    )
  }
  const checked = KeyFile.safeParse(parsed)
  if (!checked.success || checked.data.keys[checked.data.current] === undefined) {
    const why = checked.success ? `it has no key "${checked.data.current}"` : z.prettifyError(checked.error)
    throw new Error(`The key file ${file} is not usable: ${why}. Restore it, or remove it to make a new key.`)
  }
  return { current: checked.data.current, secrets: new Map(Object.entries(checked.data.keys)) }
}
