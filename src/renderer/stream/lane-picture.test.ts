import { expect, it } from 'vitest'
import { LanePicture } from './lane-picture'
import { LanesInWords } from './lanes-in-words'
import { layoutOf } from './lanes-layout'
import type { BackendLane, LaneMark, Link } from './lanes-model'
import { ProgressSteps } from './progress-steps'

const LAYOUT = layoutOf(1, false, false)
const [BACKEND = 0] = LAYOUT.backends
const DRAWING = { x: (offset: number) => offset, width: 1_000 }

function lists() {
  const client: LaneMark[] = []
  const backend: LaneMark[] = []
  const links: Link[] = []
  return { client, backendMarks: [backend], backend, links, progress: new ProgressSteps() }
}
function mark(seq: number, offset: number, kind: LaneMark['kind'], level?: string): LaneMark {
  const made: LaneMark = { seq, offset, kind, tip: `${kind} · ${seq}` }
  if (level !== undefined) made.level = level
  return made
}

it('finds the mark at a place, the nearest of several, and none where there is none', () => {
  const of = lists()
  of.client.push(mark(1, 200, 'progress'), mark(2, 206, 'progress'), mark(3, 206, 'log', 'error'))
  of.backend.push(mark(4, 206, 'log'))
  const picture = new LanePicture(of, LAYOUT, DRAWING)
  picture.grow()
  const at = (x: number, y: number) => picture.at({ x, y })?.mark.seq
  expect(at(202, LAYOUT.client)).toBe(1)
  expect(at(204, LAYOUT.client + 3)).toBe(2)
  // Log messages stand beside their lane, outside of the two.
  expect(picture.at({ x: 206, y: LAYOUT.client - 11 })).toMatchObject({ look: 'log-error', mark: { seq: 3 } })
  expect(at(206, BACKEND + 11)).toBe(4)
  expect(at(206, BACKEND)).toBeUndefined()
  expect(at(220, LAYOUT.client)).toBeUndefined()
  expect(at(206, LAYOUT.client + 20)).toBeUndefined()
})

it('says how many a mark stands for, and where one is that stands behind another', () => {
  const of = lists()
  of.client.push(mark(1, 200, 'ping'), mark(2, 201, 'ping'), mark(3, 202, 'ping'))
  const picture = new LanePicture(of, LAYOUT, DRAWING)
  picture.grow()
  expect(picture.at({ x: 200, y: LAYOUT.client })).toMatchObject({ stands: 3, look: 'tick', mark: { seq: 1 } })
  expect(picture.markOf(3)).toMatchObject({ x: 202, y: LAYOUT.client, stands: 1 })
  expect(picture.markOf(4)).toBeNull()
})

it('draws of what has come only what reaches into the part that is new', () => {
  const of = lists()
  for (let seq = 0; seq < 90; seq++) {
    of.backend.push(mark(seq, seq * 10, 'progress'))
    of.client.push(mark(100 + seq, seq * 10 + 4, 'progress'))
    of.links.push({ lane: 0, from: seq * 10, to: seq * 10 + 4, kind: 'progress' })
  }
  const picture = new LanePicture(of, LAYOUT, DRAWING)
  expect(picture.grow()).toBeLessThan(0)
  expect([...picture.marks(0)]).toHaveLength(180)
  expect(picture.grow()).toBe(Infinity)
  of.backend.push(mark(90, 900, 'progress'))
  of.client.push(mark(190, 950, 'progress'))
  of.links.push({ lane: 0, from: 900, to: 950, kind: 'progress' })
  const from = picture.grow()
  expect(from).toBe(892)
  expect([...picture.marks(from)].map((each) => each.mark.seq)).toEqual([188, 189, 190, 89, 90])
  expect([...picture.links(from)]).toEqual([
    { look: 'progress', from: { x: 890, y: BACKEND - 6 }, to: { x: 894, y: LAYOUT.client + 6 } },
    { look: 'progress', from: { x: 900, y: BACKEND - 6 }, to: { x: 950, y: LAYOUT.client + 6 } },
  ])
})

it('says in words what is on the lanes, and goes on counting', () => {
  const of = lists()
  const lane = { name: 'weather\n', marks: of.backend } as BackendLane
  const words = new LanesInWords()
  expect(words.of({ client: of.client, backends: [] })).toBe('client leg: no frames')
  of.client.push(mark(1, 1, 'server-request'), mark(2, 2, 'server-request'), mark(3, 3, 'ping'))
  of.backend.push(mark(4, 4, 'progress'))
  expect(words.of({ client: of.client, backends: [lane] })).toBe(
    'client leg: 2 requests of the server, 1 ping; backend leg weather↵: 1 progress message',
  )
  of.client.push(mark(5, 5, 'ping'))
  expect(words.of({ client: of.client, backends: [] })).toBe('client leg: 2 requests of the server, 2 pings')
})
