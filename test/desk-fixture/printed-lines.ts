import type { FixtureConnection } from './fixture-connection'

/** What the fixture's processes have printed, and go on printing. */
export function printLines(connection: FixtureConnection): void {
  const files: Parameters<FixtureConnection['say']>[] = [
    ['files', 'started', 'process 4711: npx -y @modelcontextprotocol/server-filesystem /srv/files', 340_000],
    [
      'files',
      'stderr',
      "npm warn deprecated node-domexception@1.0.0: Use your platform's native DOMException",
      338_000,
    ],
    ['files', 'stderr', 'Secure MCP Filesystem Server running on stdio', 337_400],
    ['files', 'state', 'ready, era legacy', 337_000],
    ['files', 'noise', 'it is no JSON-RPC message: Debug: allowed directories [ "/srv/files" ]', 336_000],
    ['files', 'stderr', '\u001b[33mwarn\u001b[0m file name with an override: invoice\u202efdp.exe', 120_000],
    ['files', 'stderr', `{"level":"info","msg":"${'a long line that goes on and on, '.repeat(9)}"}`, 60_000],
    [
      'files',
      'noise',
      'it names no call that is under way: {"jsonrpc":"2.0","method":"notifications/progress"}',
      30_000,
    ],
  ]
  for (const line of files) connection.say(...line)
  for (let start = 0; start < 3; start++) {
    const ago = 52_000 - start * 15_000
    connection.say(
      'old-tools',
      start === 0 ? 'started' : 'restarted',
      `process ${9_000 + start}: python3 -m old_tools`,
      ago,
    )
    connection.say('old-tools', 'stderr', 'Traceback (most recent call last):', ago - 200)
    connection.say('old-tools', 'stderr', "ModuleNotFoundError: No module named 'old_tools'", ago - 201)
    connection.say('old-tools', 'exited', `process ${9_000 + start} exited with code 1`, ago - 300)
    connection.say('old-tools', 'state', 'down, era legacy: the process exited with code 1', ago - 301)
  }
  connection.say('github', 'state', 'needs-sign-in, era legacy: it answered initialize with 401', 64_000)
  let beat = 0
  window.setInterval(() => connection.say('files', 'stderr', `heartbeat ${++beat}: 3 watchers, 17 MB`), 2_000)
}
