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
    'mcp-remote --header "Authorization: Bearer «secret»"',
  ],
  [['fetch', 'https://u:abcdefgh@h/?token=abcdefgh'], 'fetch "https://«redacted 16»@h/?token=«redacted 8»"'],
  [['curl', '-H', 'X-Mine: abcdef', '-k', 'abcdef', '-t', 'stdio'], 'curl -H "X-Mine: «secret»" -k «secret» -t stdio'],
  [['server', 'a sk-ant-api03-Zx81Qm2LpT9aB'], 'server "a «secret»"'],
  [['server', 'https://h/s/Zx81Qm2LpT9aB7vK3nR5/mcp'], 'server https://h/s/«secret»/mcp'],
  [
    ['server', '--db', 'Server=h;User=u;Password=Zx1!abcd;Port=1'],
    'server --db "Server=h;User=u;Password=«secret»;Port=1"',
  ],
  [['server', '--author', 'Jane'], 'server --author Jane'],
  [['server', ''], 'server ""'],
])('%j is shown as %s', ([command = '', ...args], shown) => {
  expect(commandLine(command, args)).toBe(shown)
})
