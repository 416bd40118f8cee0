import { expect, it } from 'vitest'
import { commandLine } from './command-line'

it.each([
  [['npx', '-y', 'server', '/data/my files'], 'npx -y server "/data/my files"'],
  [['server', '--api-key', 'abc', '--port', '80'], 'server --api-key «secret» --port 80'],
  [['server', '--token=abc'], 'server --token=«secret»'],
  [['docker', 'run', '-e', 'GITHUB_TOKEN=abc', '-e', 'LANG=C'], 'docker run -e GITHUB_TOKEN=«secret» -e LANG=C'],
  [['server', '--password', '--verbose'], 'server --password --verbose'],
  [['server', '--pass', 'abc', '--key=abc', '--pat', 'abc'], 'server --pass «secret» --key=«secret» --pat «secret»'],
  [['server', '--path', '/data', '--host', 'h'], 'server --path /data --host h'],
  [
    ['mcp-remote', '--header', 'Authorization: Bearer abcdefgh1234'],
    'mcp-remote --header "Authorization: Bearer «redacted 16»"',
  ],
  [['fetch', 'https://u:abcdefgh@h/?token=abcdefgh'], 'fetch "https://«redacted 16»@h/?token=«redacted 8»"'],
  [['server', ''], 'server ""'],
])('%j is shown as %s', ([command = '', ...args], shown) => {
  expect(commandLine(command, args)).toBe(shown)
})
