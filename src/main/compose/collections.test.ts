import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SavedRequest } from '../../shared/api/compose'
import { collectionsIn, type Collections } from './collections'

let folder: string
let collections: Collections

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-collections-'))
  collections = collectionsIn(join(folder, 'saved'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const REQUEST: SavedRequest = {
  name: 'Trip to Kyoto',
  endpoint: '/mcp',
  era: 'modern',
  method: 'tools/call',
  params: '{"arguments":{"city":"Kyoto"},"name":"booking__book_trip"}',
  settings: { capabilities: { roots: {} }, logLevel: null, progress: false, headers: [], meta: {} },
}

it('a collection is a file that reads well, and comes back as it was', async () => {
  await collections.save('Trips', [REQUEST])
  expect(await readFile(join(folder, 'saved', 'Trips.json'), 'utf8')).toMatchInlineSnapshot(`
    "{
      "format": "sluice-collection",
      "version": 1,
      "requests": [
        {
          "name": "Trip to Kyoto",
          "endpoint": "/mcp",
          "era": "modern",
          "method": "tools/call",
          "params": {
            "arguments": {
              "city": "Kyoto"
            },
            "name": "booking__book_trip"
          },
          "settings": {
            "capabilities": {
              "roots": {}
            }
          }
        }
      ]
    }
    "
  `)
  const [read] = await collections.list()
  expect(read).toMatchObject({ name: 'Trips', problem: null })
  expect(read?.requests[0]).toEqual({ ...REQUEST, params: JSON.stringify(JSON.parse(REQUEST.params), null, 2) })
  await collections.delete('Trips')
  expect(await collections.list()).toEqual([])
})

it('values of secret fields are not written', async () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer 123' },
    { name: 'X-Api-Key', value: 'k' },
    { name: 'X-Trace', value: 'abc' },
  ]
  const { withheld } = await collections.save('Trips', [{ ...REQUEST, settings: { ...REQUEST.settings, headers } }])
  expect(withheld).toEqual(['Authorization', 'X-Api-Key'])
  const text = await readFile(join(folder, 'saved', 'Trips.json'), 'utf8')
  expect(text).not.toMatch(/Bearer|"k"/)
  expect(text).toContain('abc')
})

it('a file that is no collection is named and neither written over nor deleted', async () => {
  await collections.save('Trips', [])
  const file = join(folder, 'saved', 'Trips.json')
  await writeFile(
    file,
    '{"format":"sluice-collection","version":1,"requests":[{"name":"x","endpoint":"http://evil/mcp"}]}',
  )
  const [read] = await collections.list()
  expect(read?.problem).toContain('endpoint is no endpoint of Sluice')
  await expect(collections.save('Trips', [REQUEST])).rejects.toThrow('no collection that could be written over')
  await expect(collections.delete('Trips')).rejects.toThrow('was not deleted')
  expect(await readFile(file, 'utf8')).toContain('evil')
})

it.each(['../up', 'a/b', '.hidden', 'nul', 'x ', ''])('"%s" names no collection', async (name) => {
  await expect(collections.save(name, [])).rejects.toThrow()
  expect(await collections.list()).toEqual([])
})
