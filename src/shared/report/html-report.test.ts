import { describe, expect, it } from 'vitest'
import { CallScript, plainCall, progressCall } from '../../../test/capture/call-script'
import { HEADER } from '../../../test/capture/capture-text'
import type { CallEvent } from '../capture/events'
import { foldCall } from '../capture/fold'
import { htmlFormat } from './html-report'
import { escapeHtml } from './html-text'

const ABOUT = { writtenAt: '2026-08-29T00:00:00.000Z', version: '0.1.0', redacted: true, notes: [], calls: 1, of: 1 }

function report(...calls: (readonly CallEvent[])[]): string {
  const format = htmlFormat()
  const shown = calls.slice(0, format.most)
  const parts = [format.begin(HEADER, ABOUT), ...shown.map((events) => format.call(foldCall(events), HEADER))]
  return [...parts, format.end(calls.length - shown.length)].join('')
}

/** Elements of a page, by name. */
function elements(html: string): string[] {
  return [...new Set([...html.matchAll(/<([a-z0-9]+)/g)].map((found) => found[1] ?? ''))].sort()
}

describe('the HTML report', () => {
  it('needs nothing from elsewhere, and forbids it', () => {
    const html = report(plainCall(), progressCall({ call: 2 }, 8))
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`)
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\son[a-z]+=|@import|url\(|href=|src=/i)
    expect(html).toContain('id="call-2"')
    expect(html).toMatch(/color-scheme: light dark[^]*prefers-color-scheme: dark/)
  })

  it('keeps hostile text text, wherever it comes from', () => {
    const evil = `</pre><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\u0007`
    const params = { name: evil, arguments: { evil } }
    const script = new CallScript({ params, backend: evil, method: evil, headers: [[evil, evil]] }).received({
      endpoint: evil,
    })
    script.routed({ backend: evil, name: evil }).sent().head(evil).upstream(evil).upstream(evil, 'comment')
    script.committed().frame({ jsonrpc: '2.0', method: evil, params: { data: evil } })
    script.push({ kind: 'upstream.ended', exchange: 1, reason: 'lost', detail: evil })
    script.push({
      kind: 'call.ended',
      outcome: 'error',
      by: 'backend',
      error: { code: 1, message: evil },
      detail: evil,
    })
    script.push({ kind: 'call.annotated', mark: evil, pinned: true, comment: evil })
    const html = report(script.events)
    expect(html).toContain('pinned: &lt;/pre&gt;')
    expect(elements(html)).toEqual(
      elements(report(plainCall(), new CallScript().received().upstream('data: x').events)),
    )
    expect(html).not.toMatch(/[\u0007\u202e]/)
    expect(html).toContain('&lt;script&gt;')
  })

  it('says what is left out', () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'z'.repeat(100_000) } })
    const [received] = plainCall({ body })
    expect(report([received as CallEvent])).toMatch(/… \d+ more characters are in the capture/)
    const many = Array.from({ length: 5_003 }, (_, index) => plainCall({ call: index + 1 }).slice(0, 1))
    expect(report(...many)).toContain('3 more calls are not in this report')
  })

  it('escapes every special character', () => {
    expect(escapeHtml(`<a href="x" title='y'>&\u2028\n`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;[U+2028]\n',
    )
  })
})
