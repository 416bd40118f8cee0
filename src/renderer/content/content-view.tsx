import { lazy, Suspense, useState } from 'react'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Segments } from '../controls/segments'
import { formatBytes } from '../text/format'
import { Visible } from '../text/visible'
import { showableAs, type ContentBlock } from './content-blocks'
import { Hex } from './hex'
import styles from './content.module.css'

const Markdown = lazy(async () => ({ default: (await import('./markdown')).Markdown }))

/** So much of a text is shown at first; all of it stands in the JSON. */
const FIRST_TEXT = 40_000
/** Of a text as markdown, never more: some texts take the parser a time that grows with the square of their length. */
const MOST_MARKDOWN = 10_000

/** What a result carries for people, as it is meant to be seen. All of it is a server's: nothing of it is run, and no link leads anywhere. */
export function ContentView({ blocks }: { blocks: readonly ContentBlock[] }) {
  if (blocks.length === 0) return <p className={styles.none}>The content is empty.</p>
  return (
    <ol className={styles.list} aria-label="content" tabIndex={0}>
      {blocks.map((block, index) => (
        <li key={index} className={styles.block} data-testid="content-block" data-kind={block.kind}>
          <Block block={block} />
        </li>
      ))}
    </ol>
  )
}

function Block({ block }: { block: ContentBlock }) {
  switch (block.kind) {
    case 'text':
      return <Text block={block} />
    case 'binary':
      return <Binary block={block} />
    case 'link':
      return (
        <>
          <Head block={block} what="link" about={block.uri} />
          <p className={styles.text}>
            {block.name !== null && <Visible text={block.name} />}
            {block.description !== null && (
              <span className={styles.quiet}>
                {' '}
                <Visible text={block.description} />
              </span>
            )}
          </p>
        </>
      )
    case 'other':
      return (
        <>
          <Head block={block} what="not readable" about={block.problem} />
          <pre className={styles.text}>
            <Visible text={JSON.stringify(block.value)?.slice(0, 2_000) ?? ''} />
          </pre>
        </>
      )
  }
}

interface HeadProps {
  block: ContentBlock
  what: string
  /** The server's: hostile. */
  about: string | null
  copy?: string
}

function Head({ block, what, about, copy }: HeadProps) {
  const { role } = block
  return (
    <div className={styles.head}>
      {role !== undefined && (
        <b>
          <Visible text={role} />
        </b>
      )}
      <span>{what}</span>
      {about !== null && (
        <code className={styles.about}>
          <Visible text={about} />
        </code>
      )}
      {copy !== undefined && <CopyButton text={copy} what={what} />}
    </div>
  )
}

function Text({ block }: { block: ContentBlock & { kind: 'text' } }) {
  const { text, mimeType, uri } = block
  const isMarkdown = mimeType === 'text/markdown' || looksLikeMarkdown(text)
  const [shown, setShown] = useState<'source' | 'rendered'>(mimeType === 'text/markdown' ? 'rendered' : 'source')
  const [whole, setWhole] = useState(false)
  const rendered = isMarkdown && shown === 'rendered'
  const most = rendered ? MOST_MARKDOWN : whole ? text.length : FIRST_TEXT
  const cut = text.length > most
  const part = cut ? text.slice(0, most) : text
  return (
    <>
      <div className={styles.headLine}>
        <Head block={block} what={mimeType ?? 'text'} about={uri} copy={text} />
        {isMarkdown && (
          <Segments
            label="how the text is shown"
            value={shown}
            options={[
              { value: 'source', label: 'source' },
              { value: 'rendered', label: 'markdown' },
            ]}
            onChange={setShown}
          />
        )}
      </div>
      {rendered ? (
        <Suspense fallback={null}>
          <Markdown text={part} />
        </Suspense>
      ) : (
        <pre className={styles.text}>
          <Visible text={part} block />
        </pre>
      )}
      {cut && (
        <button
          type="button"
          className={controls.link}
          onClick={() => {
            setShown('source')
            setWhole(true)
          }}
        >
          show all {formatBytes(text.length)}
          {rendered && ' as source'}
        </button>
      )}
    </>
  )
}

/** A heading, a list, a fence, a link or emphasis at the usual places. */
export function looksLikeMarkdown(text: string): boolean {
  return (
    /^(#{1,6} |[-*] |\d+\. |```|> |\|?[ \t]*:?-{3,}:?[ \t]*\|)/m.test(text) ||
    /\[[^\]\n]+\]\([^)\n]+\)|\*\*[^*\n]+\*\*|~~[^~\n]+~~/.test(text)
  )
}

function Binary({ block }: { block: ContentBlock & { kind: 'binary' } }) {
  const { base64, bytes, mimeType, uri } = block
  const as = showableAs(block)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [broken, setBroken] = useState(false)
  const source = `data:${mimeType?.split(';')[0] ?? ''};base64,${base64}`
  const facts = [
    mimeType ?? 'unknown type',
    formatBytes(bytes),
    size === null ? '' : `${size.width} × ${size.height}`,
    broken ? 'it cannot be shown: the bytes are not what the type says' : '',
  ].filter(Boolean)
  return (
    <>
      <Head block={block} what={facts.join(' · ')} about={uri} />
      {as === 'image' && !broken && (
        <img
          className={styles.image}
          alt={`of the answer, ${facts.join(', ')}`}
          src={source}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      )}
      {as === 'audio' && !broken && (
        <audio className={styles.audio} controls preload="metadata" src={source} onError={() => setBroken(true)} />
      )}
      {(as === 'bytes' || broken) && <Hex base64={base64} bytes={bytes} />}
    </>
  )
}
