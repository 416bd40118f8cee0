import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockCapture } from './capture-lock'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'new', 'capture.ndjson')
}

it('a file is claimed once, and free again after its release', () => {
  const path = place()
  const first = lockCapture(path)
  expect(lockCapture(path)).toEqual({ problem: expect.stringContaining(String(process.pid)) as string })
  if ('release' in first) first.release()
  expect(existsSync(`${path}.lock`)).toBe(false)
  expect(lockCapture(path)).toHaveProperty('release')
})

it('the claim of a process that is gone, or that names none, does not count', async () => {
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  for (const claim of [String(gone.pid), '', 'x', '-1']) {
    const path = place()
    const first = lockCapture(path)
    if ('release' in first) writeFileSync(`${path}.lock`, claim)
    expect(lockCapture(path)).toHaveProperty('release')
  }
})
