import { describe, expect, it } from 'vitest'
import type { OperationReport, ReplayReport } from '../../shared/replay/report'
import { junitXml } from './replay-junit'

const timing = { first: 0, answer: 1_500, frames: 1 }
const operation = (more: Partial<OperationReport>): OperationReport => ({
  index: 0,
  call: 1,
  method: 'tools/call',
  name: 'forecast',
  backend: 'weather',
  outcome: 'same',
  rounds: [],
  ...more,
})
const report: ReplayReport = {
  counts: { total: 4, same: 1, different: 1, failed: 1, 'not-sent': 1 },
  groups: [],
  operations: [],
  more: 0,
  stopped: false,
  durationMs: 1_234,
}

describe('junitXml', () => {
  it('has a case for each operation: passed, failed, in error, skipped', () => {
    const rounds = [
      {
        call: 7,
        newCall: 1,
        differences: [{ path: '/result/a', was: 1, now: 2 }],
        more: 0,
        ignored: 0,
        timing: { was: timing, now: timing },
      },
    ]
    const xml = junitXml(
      report,
      [
        operation({}),
        operation({ outcome: 'different', rounds }),
        operation({ outcome: 'failed', reason: 'it is down' }),
        operation({ outcome: 'not-sent', reason: 'a ping is no call', name: null }),
      ],
      'friday.ndjson',
    )
    expect(xml).toContain('<testsuite name="friday.ndjson" tests="4" failures="1" errors="1" skipped="1" time="1.234">')
    expect(xml).toContain('<failure message="1 difference">call 7 /result/a: 1 → 2</failure>')
    expect(xml).toContain('<error message="it is down"/>')
    expect(xml).toContain('name="tools/call (call 1)" time="0.000"><skipped message="a ping is no call"/>')
  })

  it('makes nothing but text of what a server says', () => {
    const name = '"/><script>&\u0000\u001b[31m'
    const xml = junitXml(report, [operation({ name, outcome: 'failed', reason: ']]></x>' })], 'f')
    expect(xml).toContain('&quot;/&gt;&lt;script&gt;&amp;\ufffd\ufffd[31m')
    expect(xml).toContain('message="]]&gt;&lt;/x&gt;"')
  })
})
