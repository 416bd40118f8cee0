import { describe, expect, it } from 'vitest'
import { MAX_COMMENT_LENGTH, readAnnotation, writeAnnotation } from './annotation'

describe('annotations', () => {
  it('read back as they were written', () => {
    const annotation = { mark: 'blue', pinned: true, comment: 'look here' } as const
    expect(readAnnotation(writeAnnotation(annotation))).toEqual(annotation)
    expect(writeAnnotation({ mark: null, pinned: false, comment: null })).toEqual({})
    expect(readAnnotation(writeAnnotation(null))).toBeNull()
  })

  it('take what is known of those from elsewhere', () => {
    expect(readAnnotation({ mark: 'beige', comment: ' \n ' })).toBeNull()
    expect(readAnnotation({ mark: 'beige', comment: ' x ' })).toEqual({ mark: null, pinned: false, comment: 'x' })
    const long = readAnnotation({ comment: 'x'.repeat(5 * MAX_COMMENT_LENGTH) })?.comment
    expect([long?.length, long?.endsWith('…')]).toEqual([MAX_COMMENT_LENGTH, true])
  })
})
