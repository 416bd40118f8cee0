import { describe, expect, it } from 'vitest'
import { captureNames } from './capture-names'

describe('captureNames', () => {
  it.each([
    [['friday.ndjson'], ['friday.ndjson']],
    [
      ['/a/b.sluice', 'C:\\c\\d.HAR'],
      ['/a/b.sluice', 'C:\\c\\d.HAR'],
    ],
    [['--capture', 'run.ndjson', 'old.ndjson'], ['old.ndjson']],
    [['--capture=run.ndjson'], []],
    [['--no-sandbox', '/app', 'sluice://add-backend?x=.ndjson&y'], []],
    [['notes.txt', '-x.ndjson'], []],
  ])('of %j', (argv, names) => {
    expect(captureNames(argv)).toEqual(names)
  })
})
