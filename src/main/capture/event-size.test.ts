import { describe, expect, it } from 'vitest'
import { fittingLength } from './event-size'

describe('fittingLength', () => {
  it.each(['plain', '"\\"', '\u0001\n', 'é', '漢', '😀'])('keeps of %j what fits into a line', (part) => {
    const text = part.repeat(100)
    const length = fittingLength(text, 90)
    expect(Buffer.byteLength(JSON.stringify(text.slice(0, length)).slice(1, -1))).toBeLessThanOrEqual(90)
    expect(length).toBeGreaterThanOrEqual(15)
  })

  it('keeps a text whole that fits', () => {
    expect(fittingLength('x'.repeat(90), 90)).toBe(90)
    expect(fittingLength('\u0001'.repeat(15), 90)).toBe(15)
  })
})
