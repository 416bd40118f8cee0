import { describe, expect, it } from 'vitest'
import { logOf, MAX_PARSED_LENGTH, progressOf, readMessage, readSseBlock, resultTypeOf } from './message'

describe('readMessage', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', 'request'],
    ['{"jsonrpc":"2.0","method":"notifications/progress"}', 'notification'],
    ['{"jsonrpc":"2.0","id":"a","result":{}}', 'result'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}', 'error'],
    ['{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}', 'error'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}', 'invalid'],
    ['{"jsonrpc":"2.0","id":1}', 'invalid'],
    ['{"id":1,"result":{}}', 'invalid'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]', 'invalid'],
    ['null', 'invalid'],
    ['"text"', 'invalid'],
    ['{"jsonrpc":"2.0","id":1,', 'invalid'],
    ['<html>502</html>', 'invalid'],
    ['', 'invalid'],
  ])('reads %s as %s', (text, kind) => {
    const message = readMessage(text)
    expect(message.kind).toBe(kind)
    expect(message.problem !== undefined).toBe(kind === 'invalid')
  })

  it('does not parse what is too long', () => {
    expect(readMessage(`"${'x'.repeat(MAX_PARSED_LENGTH)}"`).kind).toBe('unread')
  })

  it('survives nesting without end', () => {
    const deep = `{"jsonrpc":"2.0","method":"m","params":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`
    expect(['notification', 'invalid']).toContain(readMessage(deep).kind)
  })

  it('reads progress and logs only where they are', () => {
    const progress = readMessage(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1.5,"total":3,"message":"m"}}',
    )
    expect(progressOf(progress)).toEqual({ token: 7, progress: 1.5, total: 3, message: 'm' })
    expect(logOf(progress)).toBeUndefined()
    const bad = readMessage('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":"1"}}')
    expect(progressOf(bad)).toBeUndefined()
    const log = readMessage('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[1]}}')
    expect(logOf(log)).toEqual({ level: '', logger: null, data: [1] })
  })

  it('reads resultType only when it is text', () => {
    expect(resultTypeOf(readMessage('{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"}}'))).toBe('task')
    expect(resultTypeOf(readMessage('{"jsonrpc":"2.0","id":1,"result":{"resultType":1}}'))).toBeUndefined()
    expect(resultTypeOf(readMessage('{"jsonrpc":"2.0","id":1,"result":[]}'))).toBeUndefined()
  })
})

describe('readSseBlock', () => {
  it.each([
    ['event: message\ndata: {"a":1}', { event: 'message', data: '{"a":1}' }],
    ['data:x', { data: 'x' }],
    ['data:  x', { data: ' x' }],
    ['data: a\r\ndata: b\rdata: c', { data: 'a\nb\nc' }],
    ['data', { data: '' }],
    ['id: 7\nretry: 10\ndata: x', { id: '7', retry: '10', data: 'x' }],
    [': comment\ndata: x', { data: 'x' }],
    ['event: ping', { event: 'ping', data: undefined }],
    ['database: x', { data: undefined }],
  ])('reads %j', (raw, expected) => {
    expect(readSseBlock(raw)).toEqual(expected)
  })
})
