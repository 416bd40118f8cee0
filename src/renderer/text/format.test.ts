import { describe, expect, it } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatDelta,
  formatDuration,
  formatEras,
  formatFineOffset,
  formatOffset,
  formatRemaining,
  formatSetting,
  formatSince,
  plural,
  roundMark,
} from './format'

describe('format', () => {
  it.each([
    [0, '0 µs'],
    [412, '412 µs'],
    [999.7, '1.0 ms'],
    [4_120, '4.1 ms'],
    [9_960, '10 ms'],
    [41_400, '41 ms'],
    [999_700, '1.0 s'],
    [3_420_000, '3.4 s'],
    [15_000_000, '15.0 s'],
    [59_960_000, '1 m 00 s'],
    [125_000_000, '2 m 05 s'],
    [3_725_000_000, '1 h 02 m'],
  ])('duration of %d µs', (micros, text) => {
    expect(formatDuration(micros)).toBe(text)
  })
  it('offsets and deltas', () => {
    expect(formatOffset(412_300)).toBe('+0.412 s')
    expect(formatFineOffset(8_320)).toBe('+8.32 ms')
    expect(formatOffset(-2_000)).toBe('−0.002 s')
    expect([250, 1_500, 15_000].map(formatSetting)).toEqual(['250 ms', '1.5 s', '15 s'])
    expect(formatDelta(undefined)).toBe('')
    expect(formatDelta(904_000)).toBe('+904 ms')
  })
  it.each([
    [612, '612 B'],
    [4_120, '4.1 kB'],
    [18_200_000, '18 MB'],
    [1_240_000_000, '1.2 GB'],
  ])('%d bytes', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
  it('ages, remaining times, plurals, rounds', () => {
    expect(formatAge(1_000)).toBe('just now')
    expect(formatAge(125_000)).toBe('2 m')
    expect(formatSince(1_000)).toBe('just now')
    expect(formatSince(125_000)).toBe('for 2 m')
    expect(formatRemaining(581)).toBe('in 9 m 41 s')
    expect(formatRemaining(-41)).toBe('41 s ago')
    expect(plural(1, 'call')).toBe('1 call')
    expect(plural(1204, 'call')).toBe('1,204 calls')
    expect(roundMark(2)).toBe('②')
    expect(roundMark(11)).toBe('(11)')
  })
  it('eras of both legs', () => {
    expect(formatEras({ era: 'modern', backendEra: 'modern', backends: ['a'] })).toBe('M→M')
    expect(formatEras({ era: 'modern', backendEra: 'legacy', backends: ['a'] })).toBe('M→L')
    expect(formatEras({ era: 'modern', backendEra: null, backends: ['a', 'b'] })).toBe('M→*')
    expect(formatEras({ era: 'modern', backendEra: null, backends: [] })).toBe('M')
  })
})
