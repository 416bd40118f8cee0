import { describe, expect, it } from 'vitest'
import type { CallEvent } from '../../shared/capture/events'
import { CallFold, foldCall } from '../../shared/capture/fold'
import { frameRows, GrowingFrameRows } from './frame-rows'
import { GrowingLanes } from './lanes-model'
import { ProgressSteps, StepLine } from './progress-steps'
import { ThinLinks, ThinMarks } from './thinning'

const notification = (progress: number) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${progress},"total":4,"message":"step ${progress}"}}`
const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"x"}}'
const result = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}'

let seq = 0
const at = (offset: number) => ({ seq: ++seq, at: 5_000 + offset, call: 1 })
const EVENTS: CallEvent[] = [
  {
    ...at(0),
    kind: 'call.received',
    endpoint: '/mcp',
    era: 'modern',
    http: { method: 'POST', path: '/mcp', headers: [] },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a__t","_meta":{"progressToken":"tok"}}}',
    id: 1,
    method: 'tools/call',
    name: 'a__t',
    deferralWindowMs: 15_000,
    responseMode: 'auto',
    client: { name: 'probe' },
  },
  {
    ...at(50),
    kind: 'call.routed',
    backend: 'a',
    operation: 'op',
    round: 1,
    edits: [{ what: 'name', at: '/params/name', was: '"a__t"', now: '"t"' }],
  },
  {
    ...at(100),
    kind: 'upstream.sent',
    exchange: 1,
    backend: 'a',
    http: { method: 'POST', url: 'http://b/', headers: [] },
    body: '{}',
  },
  { ...at(900), kind: 'upstream.head', exchange: 1, status: 200, headers: [['Content-Type', 'text/event-stream; x']] },
  { ...at(1_000), kind: 'upstream.frame', exchange: 1, form: 'event', raw: `data: ${notification(1)}` },
  { ...at(1_010), kind: 'response.committed', form: 'sse', status: 200, cause: 'notification', headers: [] },
  {
    ...at(1_020),
    kind: 'response.frame',
    form: 'event',
    message: 'notification',
    raw: notification(1),
    from: 5,
    edits: [],
  },
  { ...at(2_000), kind: 'upstream.frame', exchange: 1, form: 'event', raw: `data: ${log}` },
  {
    ...at(2_010),
    kind: 'response.withheld',
    from: 8,
    method: 'notifications/message',
    reason: 'no-log-level',
    detail: 'the call asked for no logs',
  },
  { ...at(3_000), kind: 'response.ping' },
  { ...at(3_500), kind: 'upstream.frame', exchange: 1, form: 'comment', raw: ': keepalive' },
  { ...at(4_000), kind: 'upstream.frame', exchange: 1, form: 'event', raw: `data: ${result}` },
  { ...at(4_010), kind: 'response.frame', form: 'event', message: 'result', raw: result, from: 12, edits: [] },
  { ...at(4_020), kind: 'upstream.ended', exchange: 1, reason: 'complete' },
  { ...at(4_030), kind: 'call.ended', outcome: 'result', by: 'backend' },
]
const RECORD = foldCall(EVENTS)

describe('lanes', () => {
  const lanes = new GrowingLanes(RECORD).grow()
  it('puts every frame on the lane of the leg that it crossed', () => {
    expect(lanes.client.map((mark) => mark.kind)).toEqual(['progress', 'ping', 'result'])
    expect(lanes.backends).toHaveLength(1)
    expect(lanes.backends[0]).toMatchObject({ name: 'a', from: 100, to: 4_020, head: { text: '200 SSE' } })
    expect(lanes.backends[0]!.marks.map((mark) => mark.kind)).toEqual(['progress', 'log', 'comment', 'result'])
  })
  it('links what was passed on and marks what was withheld where it arrived', () => {
    expect(lanes.links).toEqual([
      { lane: 0, from: 1_000, to: 1_020, kind: 'progress' },
      { lane: 0, from: 4_000, to: 4_010, kind: 'result' },
    ])
    expect(lanes.withheld).toMatchObject([{ seq: 9, offset: 2_000 }])
    expect(lanes.withheld[0]!.tip).toContain('the call asked for no logs')
  })
  it('shows the progress that the client saw', () => {
    const [point, ...more] = lanes.progress.points
    expect(point).toMatchObject({ offset: 1_020, seq: 7 })
    expect(more).toEqual([])
    expect(lanes.progress.level(point!)).toBe(0.25)
    expect(lanes.progress.label(point!)).toBe('1/4 · 25 % “step 1”')
    expect(lanes.progressWithheld).toBe(false)
  })
  it('shows a record that grows event by event as it shows it whole', () => {
    const fold = new CallFold()
    fold.add(EVENTS[0]!)
    const growing = new GrowingLanes(fold.record)
    growing.grow()
    for (const event of EVENTS.slice(1)) {
      fold.add(event)
      growing.grow()
    }
    expect(growing.grow()).toEqual(new GrowingLanes(RECORD).grow())
  })
})

describe('frameRows', () => {
  it('shows a passed frame once, with both its events', () => {
    const { rows, indexOf } = frameRows(RECORD, 'both')
    expect(rows.map((row) => `${row.leg} ${row.kind}`)).toEqual([
      'client request',
      'backend sent',
      'backend head',
      'backend progress',
      'client commit',
      'backend log',
      'gateway withheld',
      'client ping',
      'backend comment',
      'backend result',
      'backend exchange-ended',
      'gateway end',
    ])
    expect(rows[3]).toMatchObject({ delta: 100, passed: { seq: 7, offset: 1_020 } })
    expect(indexOf.get(7)).toBe(3)
    expect(rows[5]!.passed).toBeUndefined()
  })
  it('shows a record that grows event by event as it shows it whole', () => {
    for (const legs of ['both', 'client', 'backend'] as const) {
      const fold = new CallFold()
      fold.add(EVENTS[0]!)
      const growing = new GrowingFrameRows(fold.record, legs)
      const routed: boolean[] = []
      for (const event of EVENTS.slice(1)) {
        fold.add(event)
        routed.push(growing.grow().rows.some(({ kind }) => kind === 'routed'))
      }
      expect(routed.slice(0, 2)).toEqual([true, false])
      expect(growing.grow()).toEqual(frameRows(RECORD, legs))
    }
  })
  it('makes a line anew that is passed on later', () => {
    const fold = new CallFold()
    for (const event of EVENTS.slice(0, 5)) fold.add(event)
    const growing = new GrowingFrameRows(fold.record, 'both')
    const before = growing.grow().rows[3]
    for (const event of EVENTS.slice(5, 7)) fold.add(event)
    expect(growing.grow().rows[3]).toMatchObject({ passed: { seq: 7 } })
    expect(before?.passed).toBeUndefined()
  })
  it('says what was edited and who asked', () => {
    const { rows } = frameRows(RECORD, 'both')
    expect(rows[0]!.summary).toBe('tools/call a__t · token "tok" · from probe')
    expect(rows[1]!.summary).toBe('a: POST http://b/ · 1 edit: name "a__t" → "t"')
  })
  it('shows one leg as that side saw it', () => {
    expect(frameRows(RECORD, 'client').rows.map((row) => row.kind)).toEqual([
      'request',
      'commit',
      'progress',
      'withheld',
      'ping',
      'result',
      'end',
    ])
    expect(frameRows(RECORD, 'backend').rows.some((row) => row.leg === 'client')).toBe(false)
  })
})

describe('drawing', () => {
  const point = { seq: 1, leg: 'client', exchange: null, token: 1, total: null, message: null } as const
  const stepsOf = (...points: (readonly [offset: number, progress: number])[]): ProgressSteps => {
    const steps = new ProgressSteps()
    for (const [offset, progress] of points) steps.add({ ...point, offset, progress })
    return steps
  }
  const lineOf = (steps: ProgressSteps) => new StepLine(steps, (offset) => offset, 100, 40)
  const drawn = (line: StepLine, from = -Infinity) =>
    line
      .corners(from, 50)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ')
  const cornersOf = (steps: ProgressSteps) => {
    const line = lineOf(steps)
    line.grow()
    return drawn(line)
  }
  const marksOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ offset: index, kind: 'progress', seq: index }))

  it('draws progress without totals in proportion to the highest', () => {
    const steps = stepsOf([1, 5], [2, 20])
    expect(steps.points.map((each) => steps.level(each))).toEqual([0.25, 1])
    expect(steps.points.map((each) => steps.label(each))).toEqual(['5', '20'])
  })
  it('draws one of thousands of marks on one spot', () => {
    const thinned = (x: (offset: number) => number) => {
      const thin = new ThinMarks(marksOf(10_000), { x, width: 500 })
      thin.grow()
      return thin.kept
    }
    const kept = thinned((offset) => offset / 20)
    expect(kept.length).toBeLessThan(200)
    expect(kept.length).toBeGreaterThan(150)
    expect(kept.reduce((sum, { stands }) => sum + stands, 0)).toBe(10_000)
    expect(thinned((offset) => offset * 100)).toHaveLength(6)
  })
  it('draws of marks that come one by one what it draws of all, and says where the new ones begin', () => {
    const all = marksOf(4_000)
    const drawing = { x: (offset: number) => offset / 5, width: 800 }
    const marks = all.slice(0, 2_000)
    const growing = new ThinMarks(marks, drawing)
    expect(growing.grow()).toBe(0)
    const begun: number[] = []
    for (const mark of all.slice(2_000)) {
      marks.push(mark)
      begun.push(growing.grow())
    }
    const whole = new ThinMarks(all, drawing)
    whole.grow()
    expect(growing.kept).toEqual(whole.kept)
    const finite = begun.filter(Number.isFinite)
    expect(finite).toEqual(growing.kept.slice(-finite.length).map(({ x }) => x))
    expect(finite.length).toBeLessThan(200)
  })
  it('keeps the links between the lanes apart', () => {
    const links = Array.from({ length: 1_000 }, (_, index) => ({
      lane: 0,
      from: index,
      to: index,
      kind: 'progress' as const,
    }))
    const kept = (of: typeof links, x: (offset: number) => number) => {
      const thin = new ThinLinks(of, { x, width: 100 })
      thin.grow()
      return thin.kept
    }
    expect(kept(links, (offset) => offset)).toHaveLength(23)
    expect(kept(links.slice(0, 3), (offset) => offset * 40)).toHaveLength(3)
  })
  it('steps up and runs on to the end', () => {
    expect(cornersOf(stepsOf([10, 5], [20, 10]))).toBe('0,100 10,100 10,80 20,80 20,60 50,60')
    expect(cornersOf(stepsOf())).toBe('')
  })
  it('draws the steps within a pixel as one line, with its peaks', () => {
    const steps = stepsOf([10, 2], [10.2, 10], [10.4, 4], [20, 6])
    expect(cornersOf(steps)).toBe('0,100 10,100 10,60 10,84 20,84 20,76 50,76')
  })
  it('draws of a line that grows only what is new', () => {
    const steps = stepsOf([10, 5], [20, 10], [30, 20])
    const line = lineOf(steps)
    expect(line.grow()).toBe(-Infinity)
    steps.add({ ...point, offset: 40, progress: 15 })
    expect(line.grow()).toBe(30)
    expect(drawn(line, 30)).toBe('20,80 30,80 30,60 40,60 40,70 50,70')
    steps.add({ ...point, offset: 45, progress: 40 })
    // All that came before is half as high.
    expect(line.grow()).toBe(-Infinity)
    expect(drawn(line, 45)).toBe('40,85 45,85 45,60 50,60')
  })
  it('draws the same line whether points come one by one or all at once, with totals and without', () => {
    const all: [number, number][] = [
      [10, 2],
      [10.2, 10],
      [10.4, 4],
      [20, 6],
      [30, 20],
      [30.1, 5],
    ]
    for (const total of [40, null]) {
      const steps = stepsOf()
      const growing = lineOf(steps)
      for (const [offset, progress] of all) {
        steps.add({ ...point, offset, progress, total })
        growing.grow()
      }
      expect(drawn(growing)).toBe(cornersOf(steps))
    }
  })
})
