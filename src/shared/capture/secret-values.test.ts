import { describe, expect, it } from 'vitest'
import type { CaptureEvent } from './events'
import { redactEvent } from './redaction'
import { redactionRules } from './redaction-rules'
import { spellingsOf, withoutValues } from './secret-values'

const VALUE = 'p"ss wörd/1'
const rules = redactionRules({ values: [VALUE, 'begin-of-the-key\nsecond-line-of-it\nend'] })
const head = { seq: 1, at: 1, call: 1 }
const http = { method: 'POST', headers: [] }

/** The event as a capture has it. */
const kept = (event: object): string => JSON.stringify(redactEvent(event as CaptureEvent, rules))

describe('values of secrets', () => {
  it.each([
    ['a body', { ...head, kind: 'response.frame', form: 'body', edits: [], raw: JSON.stringify({ note: VALUE }) }],
    ['a key', { ...head, kind: 'response.frame', form: 'body', edits: [], raw: JSON.stringify({ [VALUE]: 1 }) }],
    [
      'JSON in JSON',
      { ...head, kind: 'upstream.frame', form: 'body', raw: JSON.stringify({ text: JSON.stringify({ a: [VALUE] }) }) },
    ],
    [
      'a frame',
      { ...head, kind: 'upstream.frame', form: 'event', raw: `event: m\ndata: {"a":${JSON.stringify(VALUE)}}\n\n` },
    ],
    ['a comment', { ...head, kind: 'upstream.frame', form: 'comment', raw: `: ${VALUE}` }],
    ['a header', { ...head, kind: 'upstream.head', status: 200, headers: [['x-echo', `it is ${VALUE}.`]] }],
    ['a URL', { ...head, kind: 'upstream.sent', http: { ...http, url: `http://h/${encodeURIComponent(VALUE)}/x` } }],
    ['a printed line', { seq: 1, at: 1, kind: 'backend.stderr', backend: 'b', text: `key: ${VALUE}` }],
    ['a command line', { seq: 1, at: 1, kind: 'backend.started', backend: 'b', text: `x --key="${VALUE}"` }],
  ])('are marked in %s', (_where, event) => {
    const text = kept(event)
    expect(text).toMatch(/«redacted (16|32)»/)
    for (const spelling of spellingsOf([VALUE])) expect(text).not.toContain(spelling)
  })

  it('are marked line by line, where they have several', () => {
    const line = { seq: 1, at: 1, kind: 'backend.stderr', backend: 'b', text: 'loaded second-line-of-it' }
    expect(kept(line)).toContain('loaded «redacted 32»')
  })

  it('leave other events alone', () => {
    const event: CaptureEvent = { seq: 1, at: 1, kind: 'backend.stderr', backend: 'b', text: 'plain' }
    expect(redactEvent(event, rules)).toBe(event)
  })

  it('are taken out of what is told to a desk, which stays the same object without them', () => {
    const status = { backends: [{ name: 'a', command: `x ${VALUE}` }], other: { n: 1 } }
    expect(withoutValues(status, rules.values)).toEqual({
      backends: [{ name: 'a', command: 'x «redacted 16»' }],
      other: { n: 1 },
    })
    expect(withoutValues(status.other, rules.values)).toBe(status.other)
  })
})
