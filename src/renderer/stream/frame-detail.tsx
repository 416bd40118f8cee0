import type { ReactNode } from 'react'
import { readSseBlock } from '../../shared/capture/message'
import type { BodyText, CallRecord, ExchangeRecord, SentRecord } from '../../shared/capture/record'
import { sizeOfBase64 } from '../content/content-blocks'
import { Hex } from '../content/hex'
import { Card, Facts, type Fact } from '../controls/card'
import { addedToRequest } from '../messages/added-fields'
import { HeaderTable } from '../messages/header-table'
import { BodyView } from '../messages/body-view'
import { EditList } from '../messages/edit-list'
import type { WholeText } from '../stores/call-logs'
import { formatBytes, formatDuration, formatOffset } from '../text/format'
import { Visible } from '../text/visible'
import { CallCard, CommitCard, EndCard, StateCard, WithheldCard } from './call-cards'
import { AgainCard, QuestionCard } from './legacy-cards'
import type { FrameRow } from './frame-rows'
import styles from './frame-detail.module.css'

export interface FrameDetailProps {
  record: CallRecord
  /** The line that is open; null shows the call itself. */
  row: FrameRow | null
  wholes: ReadonlyMap<number, WholeText>
  onLoadWhole: (seq: number) => void
  onClose: () => void
}

/** Beside the lanes: the frame that was selected, and what was decided about the call. */
export function FrameDetail({ record, row, wholes, onLoadWhole, onClose }: FrameDetailProps) {
  return (
    <aside className={styles.side} aria-label="frame" tabIndex={0}>
      {row === null ? (
        <CallCard record={record} />
      ) : (
        <>
          <h2 className={styles.title}>
            {titleOf(row)} · {row.leg === 'gateway' ? 'gateway' : `${row.leg} leg`} · {formatOffset(row.offset)}
            <button type="button" className={styles.close} aria-label="close frame" onClick={onClose}>
              ✕
            </button>
          </h2>
          <FrameContent record={record} row={row} wholes={wholes} onLoadWhole={onLoadWhole} />
        </>
      )}
      {row?.kind !== 'commit' && <CommitCard record={record} />}
      {row?.kind !== 'withheld' && record.withheld.length > 0 && <WithheldCard record={record} />}
    </aside>
  )
}

function titleOf(row: FrameRow): string {
  const kind =
    row.kind === 'sent' || row.kind === 'server-request'
      ? 'request'
      : row.kind === 'exchange-ended'
        ? 'exchange closed'
        : row.kind
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}

type ContentProps = Omit<FrameDetailProps, 'onClose' | 'row'> & { row: FrameRow }

function FrameContent({ record, row, wholes, onLoadWhole }: ContentProps) {
  const body = (text: BodyText, title: string, note: ReactNode, extract?: (text: string) => string) => (
    <Card title={title} note={note}>
      <div className={styles.body} data-tall={text.text.length > 400 || undefined}>
        <BodyView
          key={text.seq}
          body={text}
          whole={wholes.get(text.seq)}
          onLoadWhole={onLoadWhole}
          label={title}
          compact
          {...(extract === undefined ? {} : { extract })}
        />
      </div>
    </Card>
  )
  switch (row.kind) {
    case 'request':
      if (row.leg !== 'client' || record.request === null) return <FrameBody record={record} row={row} render={body} />
      return (
        <>
          {body(
            record.request.body,
            `${record.request.http.method} ${record.request.http.path}`,
            formatBytes(record.summary.bytesIn),
          )}
          <Card title="headers">
            <HeaderTable headers={record.request.http.headers} />
          </Card>
        </>
      )
    case 'sent': {
      const found = sentAt(record, row.seq)
      if (found === undefined) return null
      const { exchange, sent } = found
      const { method, url, headers } = sent.http
      return (
        <>
          {sent.again !== null && <AgainCard again={sent.again} />}
          {sent.again !== 'resume' && (
            <Card title="edits">
              <EditList edits={exchange.route?.edits ?? []} />
            </Card>
          )}
          {sent.body !== null && body(sent.body, `${method} ${url}`, method === 'stdio' ? 'a line on its stdin' : '')}
          {method !== 'stdio' && (
            <Card title="headers">
              <HeaderTable headers={headers} added={addedToRequest(sent)} />
            </Card>
          )}
        </>
      )
    }
    case 'head': {
      const heads = record.exchanges.flatMap((each) => [
        ...each.headsBefore,
        ...(each.head === null ? [] : [each.head]),
      ])
      const head = heads.find((each) => each.seq === row.seq)
      return head === undefined ? null : (
        <Card title={`status ${head.status}`}>
          <HeaderTable headers={head.headers} />
        </Card>
      )
    }
    case 'commit':
      return (
        <>
          <CommitCard record={record} />
          {record.response.commit !== null && (
            <Card title="headers">
              <HeaderTable headers={record.response.commit.headers} />
            </Card>
          )}
        </>
      )
    case 'withheld':
      return (
        <>
          <WithheldCard record={record} only={row.seq} />
          <FrameBody record={record} row={row} render={body} />
        </>
      )
    case 'state': {
      const state = record.states.find((each) => each.seq === row.seq)
      return state === undefined ? null : <StateCard state={state} />
    }
    case 'end':
      return <EndCard record={record} />
    case 'routed':
      return (
        <Card title="route">
          <Facts facts={routeFacts(record)} />
        </Card>
      )
    case 'ping':
      return (
        <Card title="ping">
          <p className={styles.words}>
            The gateway sent the comment <code>: ping</code> to keep the stream alive, since no frame had crossed for a
            while.
          </p>
        </Card>
      )
    case 'exchange-ended':
      return (
        <Card title="exchange">
          <p className={styles.words}>
            <Visible text={row.summary} />
          </p>
        </Card>
      )
    case 'server-request':
      return (
        <>
          <QuestionCard record={record} seq={row.seq} />
          <FrameBody record={record} row={row} render={body} />
        </>
      )
    case 'answer': {
      const question = record.questions.find((each) => each.answer?.seq === row.seq)
      if (question === undefined || question.answer === null) return null
      const to = question.by === 'backend' ? 'as the backend got it' : 'as the client gave it'
      return body(question.answer.body, `answer to ${question.method}`, to)
    }
    default:
      return <FrameBody record={record} row={row} render={body} />
  }
}

interface FrameBodyProps {
  record: CallRecord
  row: FrameRow
  render: (text: BodyText, title: string, note: ReactNode, extract?: (text: string) => string) => ReactNode
}

/** The text of a frame, whichever leg it crossed. */
function FrameBody({ record, row, render }: FrameBodyProps) {
  const source = record.withheld.find((each) => each.seq === row.seq)?.from ?? row.seq
  for (const exchange of record.exchanges) {
    const frame = exchange.frames.find((each) => each.seq === source)
    if (frame === undefined) continue
    const passed =
      row.passed === undefined ? '' : ` · passed on after ${formatDuration(row.passed.offset - row.offset)}`
    const sent =
      row.passed === undefined ? undefined : record.response.frames.find((each) => each.seq === row.passed?.seq)
    return (
      <>
        {render(
          frame.raw,
          frame.form === 'event' ? `event: ${readSseBlock(frame.raw.text).event ?? 'message'}` : frame.form,
          `${formatBytes(frame.raw.length)}${passed}`,
          frame.form === 'event' ? (text) => readSseBlock(text).data ?? '' : undefined,
        )}
        {frame.bytes !== undefined && (
          <Card title="bytes" note="not valid UTF-8">
            <Hex base64={frame.bytes} bytes={sizeOfBase64(frame.bytes) ?? 0} />
          </Card>
        )}
        {sent !== undefined && sent.edits.length > 0 && (
          <Card title="edited on the way to the client">
            <EditList edits={sent.edits} />
          </Card>
        )}
      </>
    )
  }
  const frame = record.response.frames.find((each) => each.seq === source)
  if (frame === undefined) return null
  return render(frame.body, frame.form === 'event' ? 'event: message' : 'body', formatBytes(frame.body.length))
}

function sentAt(record: CallRecord, seq: number): { exchange: ExchangeRecord; sent: SentRecord } | undefined {
  for (const exchange of record.exchanges) {
    const all = exchange.sent === null ? exchange.sentAgain : [exchange.sent, ...exchange.sentAgain]
    const sent = all.find((each) => each.seq === seq)
    if (sent !== undefined) return { exchange, sent }
  }
  return undefined
}

function routeFacts(record: CallRecord): Fact[] {
  const { route } = record
  if (route === null) return []
  return [
    { name: 'backends', value: route.backends.join(', ') || 'none: answered by the gateway' },
    { name: 'operation', value: route.operation },
    { name: 'round', value: String(route.round) },
  ]
}
