import { useState, type ReactNode } from 'react'
import type { BodyText } from '../../shared/capture/record'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import type { JsonLines } from '../json/json-lines'
import { JsonTree } from '../json/json-tree'
import { PlainText } from '../json/plain-text'
import { useJsonLines } from '../json/use-json-lines'
import type { WholeText } from '../stores/call-logs'
import { formatBytes } from '../text/format'
import styles from './body-view.module.css'

export interface BodyViewProps {
  body: BodyText
  /** The whole, when it was asked for. */
  whole: WholeText | undefined
  onLoadWhole: (seq: number) => void
  /** What it is, for instance `request body`. */
  label: string
  /** The JSON within the text, where the text is more than that (an SSE event). */
  extract?: (text: string) => string
  marks?: (lines: JsonLines) => ReadonlyMap<number, ReactNode>
  /** In a small place: fewer controls. */
  compact?: boolean
}

/** A body: as a tree, or as the text that crossed the wire; clipped ones say so and load whole on request. */
export function BodyView({ body, whole, onLoadWhole, label, extract, marks, compact }: BodyViewProps) {
  const [form, setForm] = useState<'tree' | 'raw'>(() => (looksLikeJson(body.text) ? 'tree' : 'raw'))
  const cut = body.clipped || body.missing !== undefined
  const raw = whole?.state === 'ready' ? whole.text : body.text
  const switches = (
    <>
      <Segments
        label="view"
        value={form}
        options={[
          { value: 'tree', label: 'tree' },
          { value: 'raw', label: 'raw' },
        ]}
        onChange={setForm}
      />
      <CopyButton text={raw} what={label} />
    </>
  )
  return (
    <div className={styles.view}>
      {cut && whole?.state !== 'ready' && (
        <ClipNotice body={body} whole={whole} onLoadWhole={() => onLoadWhole(body.seq)} />
      )}
      {raw === '' ? (
        <p className={styles.empty}>{cut ? 'The text is not loaded yet.' : 'This body is empty.'}</p>
      ) : form === 'tree' ? (
        <Tree
          text={extract === undefined ? raw : extract(raw)}
          label={label}
          marks={marks}
          tools={switches}
          compact={compact}
          isBeginning={cut && whole?.state !== 'ready'}
        />
      ) : (
        <>
          <div className={styles.tools}>{switches}</div>
          <PlainText text={raw} label={`${label}, raw`} />
        </>
      )}
    </div>
  )
}

/** An error page or a line of text is better read as it is. An event's block begins with its first field. */
function looksLikeJson(text: string): boolean {
  return text === '' || /^\s*(?:[[{"\d-]|true|false|null|(?:data|event|id|retry):)/.test(text)
}

interface TreeProps extends Pick<BodyViewProps, 'label' | 'marks' | 'compact'> {
  text: string
  tools: ReactNode
  isBeginning: boolean
}

function Tree({ text, marks, ...shown }: TreeProps) {
  const read = useJsonLines(text)
  if (read.lines === null) {
    return (
      <p className={styles.empty} role="status">
        Reading {formatBytes(text.length)} of JSON… {Math.round(read.share * 100)} %
      </p>
    )
  }
  return <JsonTree lines={read.lines} marks={marks?.(read.lines)} {...shown} />
}

function ClipNotice(props: { body: BodyText; whole: WholeText | undefined; onLoadWhole: () => void }) {
  const { body, whole, onLoadWhole } = props
  if (whole?.state === 'failed') {
    return <Failure what="The whole text could not be loaded." error={whole.error} onRetry={onLoadWhole} />
  }
  return (
    <div className={styles.clip}>
      <span>
        {body.missing === undefined
          ? `Showing the first ${formatBytes(body.text.length)} of ${formatBytes(body.length)}.`
          : 'This body is kept as edits of another one.'}
      </span>
      <button type="button" className={controls.button} disabled={whole?.state === 'loading'} onClick={onLoadWhole}>
        {whole?.state === 'loading' ? 'Loading…' : 'Load whole'}
      </button>
    </div>
  )
}
