import { describe, expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff'

describe('a unified diff', () => {
  it('is empty when nothing changes', () => {
    expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('')
  })

  it('shows the change with three lines around it', () => {
    const lines = (middle: string): string => `1\n2\n3\n4\n${middle}5\n6\n7\n8\n`
    expect(unifiedDiff('f', lines('old\n'), lines('new\nmore\n'))).toBe(
      '--- f\n+++ f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-old\n+new\n+more\n 5\n 6\n 7\n',
    )
  })

  it('shows a new file, and line ends that are missing', () => {
    expect(unifiedDiff('f', '', 'a\nb')).toBe(
      '--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
    )
    expect(unifiedDiff('f', 'a', 'a\n')).toBe('--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n')
  })
})
