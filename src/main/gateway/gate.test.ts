import { describe, expect, it } from 'vitest'
import { judge, type GateRequest } from './gate'

const call: GateRequest = { method: 'tools/call' }
const listen: GateRequest = { method: 'subscriptions/listen' }
const progress = (progressToken: string | number | boolean | null) => ({
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
})
const log = (level: string) => ({ method: 'notifications/message', params: { level, data: 'x' } })

describe('judge', () => {
  it.each([
    ['progress with the token', progress('t'), { ...call, progressToken: 't' }, 'pass'],
    ['progress with token 0', progress(0), { ...call, progressToken: 0 }, 'pass'],
    ['progress without a token in the call', progress('t'), call, 'no-progress-token'],
    ['progress with another token', progress('u'), { ...call, progressToken: 't' }, 'progress-token-mismatch'],
    [
      'progress with the token as another type',
      progress('1'),
      { ...call, progressToken: 1 },
      'progress-token-mismatch',
    ],
    [
      'progress without params',
      { method: 'notifications/progress' },
      { ...call, progressToken: 1 },
      'progress-token-mismatch',
    ],
    ['log without a level in the call', log('emergency'), call, 'no-log-level'],
    ['log below the level', log('debug'), { ...call, logLevel: 'info' }, 'below-log-level'],
    ['log at the level', log('info'), { ...call, logLevel: 'info' }, 'pass'],
    ['log above the level', log('alert'), { ...call, logLevel: 'info' }, 'pass'],
    ['log of an unknown level', log('loud'), { ...call, logLevel: 'debug' }, 'below-log-level'],
    ['a listing change on a call', { method: 'notifications/tools/list_changed' }, call, 'not-request-scoped'],
    ['a listing change on a listen stream', { method: 'notifications/tools/list_changed' }, listen, 'pass'],
    ['progress on a listen stream', progress('t'), { ...listen, progressToken: 't' }, 'not-request-scoped'],
    ['a notification of an extension', { method: 'notifications/acme/tick' }, call, 'pass'],
  ] as const)('%s', (_name, notification, request, expected) => {
    const verdict = judge(notification, request)
    expect(verdict.pass ? 'pass' : verdict.reason).toBe(expected)
  })
})
