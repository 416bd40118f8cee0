import { describe, expect, it } from 'vitest'
import { argumentSecrets } from './secret-arguments'

/** The words with their secrets as `•`. */
const shown = (line: string): string => {
  const [command, ...args] = line.split(' ').map((word) => word.replaceAll('_', ' '))
  const secrets = argumentSecrets(command, args)
  const words = args.map((word, index) => {
    const from = secrets[index] ?? null
    return from === null ? word : `${word.slice(0, from)}•`
  })
  return [command, ...words].join(' ').replaceAll('  ', ' ')
}

describe('argumentSecrets', () => {
  it.each([
    ['srv --api-key X --token=X TOKEN=X --port 80', 'srv --api-key • --token=• TOKEN=• --port 80'],
    ['srv -p hunter2 -k abcdef -t abcdef', 'srv -p • -k • -t •'],
    ['srv -k=abcdef -t=abcdef -p=hunter2', 'srv -k=• -t=• -p=•'],
    ['srv -phunter2 -kabc-123 -t4bcdef', 'srv -p• -k• -t•'],
    ['srv -port 8080 -path /srv -token abcdef', 'srv -port 8080 -path /srv -token •'],
    ['srv -p 8080:80 -p8080:80 -k 12 -t 30', 'srv -p 8080:80 -p8080:80 -k 12 -t 30'],
    ['srv -t stdio -k /etc/key.pem -t http', 'srv -t stdio -k /etc/key.pem -t http'],
    ['srv -t -k -v', 'srv -t -k -v'],
    ['docker run -t -i mcp/files', 'docker run -t -i mcp/files'],
    ['npx -p @scope/server -p other server -k abcdef', 'npx -p @scope/server -p other server -k •'],
    ['curl -H Authorization:_Bearer_X -H X-Mine:_X http://h/', 'curl -H Authorization: • -H X-Mine: • http://h/'],
    ['curl -u me:hunter2 --user me:hunter2 --user=me:hunter2', 'curl -u me:• --user me:• --user=me:•'],
    ['srv -u 1000:1000 --user=0:0 --user me', 'srv -u 1000:1000 --user=0:0 --user me'],
    ['docker run -u node:node mcp/files', 'docker run -u node:node mcp/files'],
    ['srv --author Jane --authorization X --auth X', 'srv --author Jane --authorization • --auth •'],
    ['srv --token -abc!123 --password --verbose -v', 'srv --token • --password --verbose -v'],
    ['curl -H X-Mine -v', 'curl -H X-Mine -v'],
    ['npx mcp-remote Authorization:X url:x', 'npx mcp-remote Authorization:• url:x'],
  ])('%s', (line, expected) => {
    expect(shown(line)).toBe(expected)
  })

  it('says of arguments that are no texts what stands before them', () => {
    expect(argumentSecrets(undefined, ['--pin', 1234, '-k', { a: 1 }, 5, null])).toEqual([null, 0, null, 0, null, null])
  })

  it('takes time that is linear', () => {
    const long = `-p${'a'.repeat(1_000_000)}`
    const begin = performance.now()
    argumentSecrets('srv', [
      long,
      `${'a-'.repeat(500_000)}=`,
      `${'a'.repeat(1_000_000)}:`,
      `-k${'='.repeat(1_000_000)}`,
    ])
    argumentSecrets(
      'srv',
      Array.from({ length: 100_000 }, () => '-k'),
    )
    expect(performance.now() - begin).toBeLessThan(5_000)
  })
})
