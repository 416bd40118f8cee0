import type { JsonValue } from '../protocol/json-rpc'

/** Values as they would stand in a file, by the key that they belong to. */
const EXAMPLES: Readonly<Record<string, string>> = {
  allowedHosts: '["sluice.localhost:7420"]',
  allowedOrigins: '["http://localhost:5173"]',
  args: '["-y", "@modelcontextprotocol/server-memory"]',
  command: '"npx"',
  cwd: '"/home/me/project"',
  env: '{ "LOG_LEVEL": "debug" }',
  exclude: '["delete_*"]',
  file: '"recorded.ndjson"',
  gateway: '{ "port": 7420 }',
  headers: '{ "Authorization": "Bearer ${TOKEN}" }',
  include: '["get_*"]',
  keys: '["password"]',
  mcpServers: '{ "weather": { "url": "http://127.0.0.1:3000/mcp" } }',
  names: '{ "policy": "prefix" }',
  passHeaders: '["Authorization"]',
  paths: '["/params/arguments/token"]',
  port: '7420',
  redact: '{ "keys": ["password"] }',
  rename: '{ "search": "find" }',
  servers: '{ "weather": { "url": "http://127.0.0.1:3000/mcp" } }',
  url: '"http://127.0.0.1:3000/mcp"',
}
const BACKEND = '{ "url": "http://127.0.0.1:3000/mcp" } or { "command": "npx", "args": ["-y", "a-server"] }'

/** What to write in place of a value that is missing or of the wrong type. `expected` is the name that the check has for the type. */
export function whatToWrite(at: readonly (string | number)[], expected: string, value: JsonValue | undefined): string {
  const key = at.at(-1)
  const isBackend = at.length === 2 && (at[0] === 'mcpServers' || at[0] === 'servers')
  // Below "headers", "env" and "rename" keys are names of the user's own.
  const isKnown = typeof key === 'string' && Object.hasOwn(EXAMPLES, key) && (at.length <= 3 || at[0] === 'gateway')
  const example = isBackend ? BACKEND : isKnown ? EXAMPLES[key] : undefined
  if (value === undefined) return `add "${String(key)}": ${example ?? 'a value'}`
  switch (expected) {
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean') return `write it in double quotes: "${value}"`
      return `write a text in double quotes${example === undefined ? '' : `, such as ${example}`}`
    case 'number':
    case 'int':
      if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return `write it without quotes: ${value}`
      return `write a whole number${example === undefined ? '' : `, such as ${example}`}`
    case 'boolean':
      return 'write true or false'
    case 'array':
      if (typeof value === 'string' && value.length <= 60) return `write a list: [${JSON.stringify(value)}]`
      return `write a list, such as ${example ?? '["…"]'}`
    default:
      return `write an object, such as ${example ?? '{ … }'}`
  }
}
