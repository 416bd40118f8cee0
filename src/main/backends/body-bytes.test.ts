import { expect, it } from 'vitest'
import { BodyBytes } from './body-bytes'

it('keeps what came in parts of all sizes, in order', () => {
  const body = new BodyBytes()
  const parts = [5_000, 1, 1_023, 1_024, ...Array.from({ length: 3_000 }, (_, index) => index % 7), 2_000]
  const expected = Buffer.concat(parts.map((length, index) => Buffer.alloc(length, index)))
  parts.forEach((length, index) => body.push(Buffer.alloc(length, index)))
  expect(body.length).toBe(expected.length)
  expect(body.join().equals(expected)).toBe(true)
})

it('keeps single bytes in few buffers', () => {
  const body = new BodyBytes()
  for (let count = 0; count < 100_000; count++) body.push(Buffer.from('a'))
  expect(body.partCount).toBeLessThan(2_000)
  expect(body.join().toString()).toBe('a'.repeat(100_000))
})

it('keeps a part though its bytes are written over afterwards', () => {
  const body = new BodyBytes()
  const part = Buffer.from('whole')
  body.push(part)
  part.fill('x')
  expect(body.join().toString()).toBe('whole')
  expect(new BodyBytes().join()).toHaveLength(0)
})
