import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { applyEdits } from '../../src/shared/capture/body-reference'
import type { CallEvent } from '../../src/shared/capture/events'
import { foldCall } from '../../src/shared/capture/fold'
import { CaptureEventSchema, readEvent, readHeader } from '../../src/shared/capture/schema'

const page = readFile(new URL('../../docs/capture-format.md', import.meta.url), 'utf8')

it('the example of the format page is a capture, and its edits lead from leg to leg', async () => {
  const block = /```json\n([\s\S]*?)\n```/.exec(await page)?.[1] ?? ''
  const [header, ...lines] = block.split('\n').map((line) => JSON.parse(line) as unknown)
  expect(readHeader(header)).toEqual({ ok: true, value: header })
  expect(lines.map(readEvent)).toEqual(lines.map((value) => ({ ok: true, value })))
  const record = foldCall(lines as CallEvent[])
  expect(record).toMatchObject({ begun: true, ended: { outcome: 'input-required' } })
  const sent = record.exchanges[0]
  expect(applyEdits(record.request?.body.text ?? '', record.route?.edits ?? [])).toBe(sent?.sent?.body?.text)
  const [answer] = record.response.frames
  const idEdit = answer?.edits.filter(({ what }) => what === 'id') ?? []
  expect(applyEdits(sent?.frames[0]?.raw.text ?? '', idEdit)).toContain('"jsonrpc":"2.0","id":3}')
})

it('the format page names every kind and every member of an event', async () => {
  const text = await page
  for (const option of CaptureEventSchema.options) {
    const { kind, ...members } = option.shape
    for (const value of kind.def.type === 'literal' ? kind.def.values : Object.values(kind.def.entries)) {
      expect(text).toContain(`\`${value}\``)
    }
    for (const member of Object.keys(members)) expect(text, member).toContain(`\`${member}\``)
  }
})
