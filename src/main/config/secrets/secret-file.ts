import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { SECRET_NAME } from '../../../shared/config/environment'

const Entry = z.strictObject({ encrypted: z.base64().min(1), changedAt: z.iso.datetime() })
const Content = z.strictObject({
  format: z.literal('sluice-secrets'),
  version: z.literal(1),
  secrets: z.record(z.string().regex(SECRET_NAME), Entry),
})

/** Encrypted secrets by name, as they stand in the file. */
export type SecretEntries = z.infer<typeof Content>['secrets']

export function secretsFile(dataDirectory: string): string {
  return join(dataDirectory, 'secrets.json')
}

/** What is in the file, nothing when there is none. Throws in words when it cannot be read. */
export function readSecretEntries(file: string): SecretEntries {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const content = Content.safeParse(parsed(text))
  if (content.success) return content.data.secrets
  throw new Error(`${file} is no file of secrets that this version knows; move it away to begin a new one`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Said above, with everything else that it may be.
    return undefined
  }
}

/** Replaces the file, readable by this user alone. */
export async function writeSecretEntries(file: string, secrets: SecretEntries): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1)))
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify({ format: 'sluice-secrets', version: 1, secrets: sorted }, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
