import { expect, it, vi } from 'vitest'
import type { InputAsk } from '../../shared/api/compose'
import { collectionsIn } from '../compose/collections'
import { Composer } from '../compose/composer'
import { composeCommands, webAddress } from './compose-commands'

it.each(['https://example.com/sign-in?a=1', 'http://127.0.0.1:9/x'])('%s can be opened', (url) => {
  expect(webAddress(url)).toBe(url)
})

it.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://good.example@evil.example/',
  'ms-settings:',
  '',
  7,
  null,
])('%s is not opened', (url) => {
  expect(() => webAddress(url)).toThrow()
})

it('what is opened is what the backend asked for, by the key of the question', async () => {
  const composer = new Composer({ base: () => 'http://127.0.0.1:9', version: '0.0.0' })
  const asked: InputAsk = { key: 'sign-in', method: 'elicitation/create', params: { url: 'https://example.com/a' } }
  vi.spyOn(composer, 'ask').mockReturnValue(asked)
  const openExternal = vi.fn(() => Promise.resolve())
  const sources = { composer, collections: collectionsIn('/nowhere') }

  const desktop = composeCommands({ ...sources, openExternal })
  expect(await desktop['compose.openUrl']({ id: 'c', key: 'sign-in' })).toMatchObject({ opened: true })
  expect(openExternal).toHaveBeenCalledWith('https://example.com/a')

  const served = composeCommands({ ...sources, openExternal: null })
  const answer = await served['compose.openUrl']({ id: 'c', key: 'sign-in' })
  expect(answer).toEqual({ opened: false, url: 'https://example.com/a' })

  vi.mocked(composer.ask).mockReturnValue({ ...asked, params: { url: 'file:///etc/passwd' } })
  await expect(desktop['compose.openUrl']({ id: 'c', key: 'sign-in' })).rejects.toThrow('no http or https address')
  expect(openExternal).toHaveBeenCalledTimes(1)
  await composer.close()
})

it('an unknown request is not found, with what to do', () => {
  const composer = new Composer({ base: () => 'http://127.0.0.1:9', version: '0.0.0' })
  const commands = composeCommands({ composer, collections: collectionsIn('/nowhere'), openExternal: null })
  expect(() => commands['compose.cancel']({ id: 'x' })).toThrow(
    expect.objectContaining({ code: 'not-found', hint: 'it is too long ago; send it anew' }),
  )
})
