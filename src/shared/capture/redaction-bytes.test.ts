import { expect, it } from 'vitest'
import type { UpstreamFrame } from './events'
import { redactEvent } from './redaction'
import { redactionRules } from './redaction-rules'

const frame = (raw: string): UpstreamFrame => ({
  seq: 1,
  at: 0,
  call: 1,
  kind: 'upstream.frame',
  exchange: 1,
  form: 'body',
  raw,
  bytes: btoa(raw.replace('\ufffd', '\u00fc')),
})

it('takes the bytes of a frame away when something is redacted in its text, and only then', () => {
  const rules = redactionRules({ headers: [], keys: ['password'] })
  const secret = redactEvent(frame('{"city":"Z\ufffdrich","password":"hunter2"}'), rules)
  expect(secret).not.toHaveProperty('bytes')
  expect(JSON.stringify(secret)).not.toContain('hunter2')
  const plain = frame('{"city":"Z\ufffdrich"}')
  expect(redactEvent(plain, rules)).toBe(plain)
})
