import type { BrokenCall } from './broken-calls'
import { answered, cachedResultOf, gives, legacyAnswer, resultOf, task, tool } from './scripts'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { META } from '../../src/shared/protocol/meta'
import { result } from '../capture/call-script'

const tools = (...entries: JsonObject[]) => cachedResultOf('tools/list', { tools: entries })
const prompt = (members: JsonObject) => resultOf('prompts/get', members, { name: 'p' })
const resource = (members: JsonObject) => cachedResultOf('resources/read', members, { uri: 'a://b' })
const completion = (members: JsonObject) => resultOf('completion/complete', members, { ref: {}, argument: {} })
const serverInfo = { [META.serverInfo]: { name: 's', version: '1' } }
const discovery = (members: JsonObject) =>
  cachedResultOf('server/discover', {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    _meta: serverInfo,
    ...members,
  })
const declared = { meta: { [META.clientCapabilities]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } }
const makesTask = (members: JsonObject) =>
  answered(result({ resultType: 'task', content: undefined, ...task, ...members }), declared)
const tellsTask = (members: JsonObject) => resultOf('tasks/get', { ...task, ...members }, { taskId: 't' })
const legacyTool = (value: JsonObject) => legacyAnswer({ jsonrpc: '2.0', id: 1, result: value })

/** Results that are not as the schema has them. */
export const BROKEN_RESULTS: BrokenCall[] = [
  ['result-no-object', answered({ jsonrpc: '2.0', id: 1, result: [] })],
  ['result-no-object', answered({ jsonrpc: '2.0', id: 1, result: null })],
  ['tool-content-missing', resultOf('tools/call', {}, { name: 'forecast' })],
  ['tool-content-missing', resultOf('tools/call', { content: 'text' }, { name: 'forecast' })],
  ['tool-content-missing', legacyTool({})],
  ['tool-is-error-invalid', answered(result({ isError: 'false' }))],
  ['content-block-unknown', gives({ type: 'json', json: {} })],
  ['content-block-unknown', gives({ type: 'toString' })],
  ['content-block-unknown', gives({ text: 'no type' })],
  ['content-block-invalid', gives('text')],
  ['content-block-invalid', gives({ type: 'text', text: null })],
  ['content-block-invalid', gives({ type: 'image', data: 'aGk=' })],
  ['content-block-invalid', gives({ type: 'audio', mimeType: 'audio/wav' })],
  ['content-block-invalid', gives({ type: 'resource_link', uri: 'a://b' })],
  ['content-block-invalid', gives({ type: 'resource' })],
  ['content-block-invalid', gives({ type: 'resource', resource: { uri: 'a://b' } })],
  ['data-not-base64', gives({ type: 'image', mimeType: 'image/png', data: 'data:image/png;base64,aGk=' })],
  ['data-not-base64', gives({ type: 'audio', mimeType: 'audio/wav', data: 'aGk' })],
  ['data-not-base64', gives({ type: 'image', mimeType: 'image/png', data: `${'A'.repeat(8_000)}-_==` })],
  ['structured-content-no-object', legacyTool({ content: [{ type: 'text', text: '1' }], structuredContent: 1 })],
  ['structured-content-without-text', answered(result({ structuredContent: { sum: 1 } }))],
  ['list-missing', cachedResultOf('tools/list', {})],
  ['list-missing', cachedResultOf('resources/templates/list', { resourceTemplates: null })],
  ['list-entry-invalid', tools(tool({ name: 7 }))],
  ['list-entry-invalid', cachedResultOf('resources/list', { resources: [{ name: 'a' }] })],
  ['list-entry-invalid', cachedResultOf('resources/templates/list', { resourceTemplates: [{ name: 'a' }] })],
  ['list-entry-invalid', cachedResultOf('prompts/list', { prompts: [null] })],
  [
    'list-entry-invalid',
    legacyAnswer({ jsonrpc: '2.0', id: 1, result: { tools: [[]] } }, { method: 'tools/list', params: {} }),
  ],
  ['list-entry-duplicate', tools(tool(), tool())],
  ['next-cursor-no-string', cachedResultOf('prompts/list', { prompts: [], nextCursor: null })],
  ['tool-name-unusual', tools(tool({ name: 'my tool' }))],
  ['tool-name-unusual', tools(tool({ name: 'a'.repeat(129) }))],
  ['tool-input-schema-invalid', tools(tool({ inputSchema: undefined }))],
  ['tool-input-schema-invalid', tools(tool({ inputSchema: { anyOf: [] } }))],
  ['tool-output-schema-invalid', tools(tool({ outputSchema: true }))],
  [
    'tool-output-schema-invalid',
    legacyAnswer(
      { jsonrpc: '2.0', id: 1, result: { tools: [tool({ outputSchema: { type: 'array' } })] } },
      { method: 'tools/list', params: {} },
    ),
  ],
  [
    'tool-header-annotation-invalid',
    tools(tool({ inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } })),
  ],
  ['prompt-messages-invalid', prompt({})],
  ['prompt-messages-invalid', prompt({ messages: ['hello'] })],
  ['prompt-messages-invalid', prompt({ messages: [{ role: 'system', content: { type: 'text', text: 'a' } }] })],
  ['content-block-invalid', prompt({ messages: [{ role: 'user', content: [] }] })],
  ['resource-contents-invalid', resource({ contents: {} })],
  ['resource-contents-invalid', resource({ contents: [null] })],
  ['resource-contents-invalid', resource({ contents: [{ text: 'a' }] })],
  ['resource-contents-invalid', resource({ contents: [{ uri: 'a://b', text: null }] })],
  ['data-not-base64', resource({ contents: [{ uri: 'a://b', blob: 'not base64' }] })],
  ['completion-invalid', completion({})],
  ['completion-invalid', completion({ completion: { values: [1] } })],
  ['completion-invalid', completion({ completion: { values: [], total: '1' } })],
  ['completion-invalid', completion({ completion: { values: [], hasMore: 1 } })],
  ['completion-too-many', completion({ completion: { values: Array.from({ length: 101 }, String) } })],
  ['discover-versions-invalid', discovery({ supportedVersions: undefined })],
  ['discover-versions-invalid', discovery({ supportedVersions: [] })],
  ['discover-capabilities-missing', discovery({ capabilities: [] })],
  ['server-info-missing', discovery({ _meta: undefined, serverInfo: { name: 's' } })],
  ['task-invalid', makesTask({ status: 'pending' })],
  ['task-invalid', makesTask({ taskId: 1 })],
  ['task-invalid', makesTask({ ttlMs: undefined })],
  ['task-invalid', tellsTask({ status: 'completed' })],
  ['task-invalid', tellsTask({ status: 'failed' })],
  [
    'task-not-allowed',
    answered(result({ resultType: 'task', content: undefined, ...task }), {
      ...declared,
      method: 'prompts/get',
      params: { name: 'p' },
    }),
  ],
]
