import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { configurationJsonSchema } from '../../shared/config/json-schema'

const docs = new URL('../../../docs/', import.meta.url)

it('docs/sluice.schema.json is what the schema says (npx tsx scripts/write-schema.ts)', async () => {
  const published = await readFile(new URL('sluice.schema.json', docs), 'utf8')
  expect(JSON.parse(published)).toEqual(configurationJsonSchema())
})

it('docs/configuration.md names every key', async () => {
  const page = await readFile(new URL('configuration.md', docs), 'utf8')
  const missing = keysOf(configurationJsonSchema()).filter(
    (key) => !page.includes(`\`${key}\``) && !page.includes(`.${key}\``),
  )
  expect(missing).toEqual([])
})

function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, additionalProperties, anyOf } = schema as {
    properties?: object
    additionalProperties?: unknown
    anyOf?: unknown[]
  }
  const own = Object.entries(properties ?? {}).flatMap(([key, inner]) => [key, ...keysOf(inner)])
  return [...own, ...keysOf(additionalProperties), ...(anyOf ?? []).flatMap(keysOf)]
}
