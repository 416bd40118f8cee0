import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TreeEnd } from './json-tree'

const problem = { offset: 1384, message: 'the string does not end' }

it('says where a text stops being JSON', () => {
  const html = renderToStaticMarkup(<TreeEnd problem={problem} isBeginning={false} />)
  expect(html).toContain('Not JSON from character 1,384 on: the string does not end.')
})

it('does not call the beginning of a long text broken', () => {
  const html = renderToStaticMarkup(<TreeEnd problem={problem} isBeginning />)
  expect(html).toContain('The rest is not loaded.')
  expect(html).not.toContain('Not JSON')
})
