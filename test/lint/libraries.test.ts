import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

it('every direct dependency has an exact version and a reason', async () => {
  const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const explained = new Set([...(await read('docs/libraries.md')).matchAll(/`([^`]+)`/g)].map((match) => match[1]))
  const all = Object.entries({ ...dependencies, ...devDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([])
  const unexplained = all.map(([name]) => name).filter((name) => !explained.has(name) && !name.startsWith('@types/'))
  expect(unexplained).toEqual([])
})
