import { expect, it, vi } from 'vitest'
import { printNotice } from './print-notice'

it('prints one line whatever a server said', () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  printNotice({ level: 'warning', text: 'it said \u001b]0;owned\u0007\r\nsluice: all is well' })
  printNotice({ level: 'info', text: 'it is there again' })
  expect(print.mock.calls).toEqual([
    ['sluice: warning: it said �]0;owned���sluice: all is well'],
    ['sluice: it is there again'],
  ])
  print.mockRestore()
})
