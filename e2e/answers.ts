import type { ServerResponse } from 'node:http'
import { isObject, isRequestId, type JsonObject } from '../src/shared/protocol/json-rpc'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A tenth of a second of silence, 8 bit, 8 kHz. */
function silence(): string {
  const samples = 800
  const wave = Buffer.alloc(44 + samples, 0x80)
  wave.write('RIFF', 0)
  wave.writeUInt32LE(36 + samples, 4)
  wave.write('WAVEfmt ', 8)
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(8_000, 24)
  wave.writeUInt32LE(8_000, 28)
  wave.writeUInt16LE(1, 32)
  wave.writeUInt16LE(8, 34)
  wave.write('data', 36)
  wave.writeUInt32LE(samples, 40)
  return wave.toString('base64')
}

/** Results that the SDK's server does not make of its own, or would refuse. */
const RESULTS: Readonly<Record<string, () => JsonObject>> = {
  gallery: () => ({
    content: [
      { type: 'text', text: '# Heading\n\n[press](javascript:alert(1)) <script>alert(2)</script>\u202Egnp' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'audio', data: silence(), mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: { uri: 'file:///srv/notes.bin', mimeType: 'application/octet-stream', blob: 'AAECA/8=' },
      },
      {
        type: 'resource',
        resource: { uri: 'file:///srv/readme.md', mimeType: 'text/markdown', text: '**bold** words' },
      },
      { type: 'resource_link', uri: 'javascript:alert(3)', name: 'a link' },
      { type: 'hologram' },
    ],
  }),
  measure: () => ({
    content: [{ type: 'text', text: '{"celsius":"21"}' }],
    structuredContent: { celsius: '21', unit: 'C' },
  }),
}

/** Answers calls of those tools; false for all others. */
export function answerByHand(response: ServerResponse, message: unknown): boolean {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return false
  const { name } = message.params
  const result = typeof name === 'string' && Object.hasOwn(RESULTS, name) ? RESULTS[name]?.() : undefined
  if (result === undefined || !isRequestId(message.id)) return false
  const answer = { jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...result } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  return true
}
