import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { contentOf } from './content-blocks'
import { ContentView, looksLikeMarkdown } from './content-view'
import { Markdown } from './markdown'

const view = (result: Parameters<typeof contentOf>[0]) =>
  renderToStaticMarkup(<ContentView blocks={contentOf(result) ?? []} />)

describe('ContentView', () => {
  it('shows hostile text as text', () => {
    const markup = view({ content: [{ type: 'text', text: '<img src=x onerror=alert(1)>\u202Egnp' }] })
    expect(markup).not.toContain('<img')
    expect(markup).not.toContain('\u202E')
  })

  it('keeps the lines of a text', () => {
    expect(view({ content: [{ type: 'text', text: 'one\n\ttwo' }] })).toContain('one\n\ttwo')
  })

  it('draws images of the types that run nothing, and nothing else', () => {
    const image = (mimeType: string) => view({ content: [{ type: 'image', data: 'AAAA', mimeType }] })
    expect(image('image/png')).toContain('src="data:image/png;base64,AAAA"')
    for (const type of ['image/svg+xml', 'text/html', '', 'image/png" onload="x'])
      expect(image(type)).not.toContain('<img')
    expect(image('text/html')).toContain('00000000  00 00 00')
  })

  it('parses the beginning of a long text as markdown and no more, however it was written to be slow', () => {
    const markdown = (length: number) =>
      view({
        content: [
          { type: 'resource', resource: { uri: 'a', mimeType: 'text/markdown', text: '[^1]'.repeat(length / 4) } },
        ],
      })
    expect(markdown(10_000)).not.toContain('show all')
    expect(markdown(10_004)).toMatch(/show all [^<]*( as source|<!-- --> as source)/)
  })

  it('a link is named and leads nowhere', () => {
    const markup = view({ content: [{ type: 'resource_link', uri: 'javascript:alert(1)', name: 'press' }] })
    expect(markup).not.toContain('href')
    expect(markup).toContain('javascript:alert(1)')
  })
})

describe('Markdown', () => {
  const markup = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

  it('is drawn without links, images and HTML of its own', () => {
    const drawn = markup('# Title\n\n[press](javascript:alert(1)) ![p](https://x/y.png)\n\n<script>alert(1)</script>')
    expect(drawn).toContain('<h1>Title</h1>')
    expect(drawn).not.toMatch(/href|<img|<script/)
    expect(drawn).toContain('javascript:alert(1)')
  })

  it('draws tables, task lists and struck text', () => {
    const drawn = markup('| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~old~~ ~5 and ~6~')
    expect(drawn).toContain('<td>1</td>')
    expect(drawn).toContain('aria-label="done"')
    expect(drawn).toContain('aria-label="not done"')
    expect(drawn).toContain('<del>old</del> ~5 and ~6~')
    expect(drawn).not.toContain('<input')
  })

  it('an address without a link stays text, and is there once', () => {
    const drawn = markup('see https://x.y/z, www.a.com and me@a.example; [http://bank](http://evil)')
    expect(drawn).not.toMatch(/href|<a[ >]/)
    expect(drawn.match(/https:\/\/x\.y\/z/g)).toHaveLength(1)
    expect(drawn).not.toContain('http://www.a.com')
    expect(drawn).toContain('http://evil')
  })

  it('footnotes are marked, and lead nowhere', () => {
    const drawn = markup('word[^1]\n\n[^1]: a <b>note</b>')
    expect(drawn).toContain('[1]')
    expect(drawn).toContain('a &lt;b&gt;note&lt;/b&gt;')
    expect(drawn).not.toMatch(/href|<a[ >]|↩/)
  })

  it.each([
    ['# heading', true],
    ['| a | b |\n|---|:-:|', true],
    ['a | b\n--- | ---', true],
    ['~~no~~', true],
    ['a --- b', false],
    ['- one\n- two', true],
    ['see [this](https://x)', true],
    ['a **bold** word', true],
    ['plain words, 2 * 3 * 4', false],
    ['{"a": [1](2)', true],
    ['', false],
  ])('is offered for %j: %j', (text, offered) => {
    expect(looksLikeMarkdown(text)).toBe(offered)
  })
})
