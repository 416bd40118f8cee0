import { useMemo, useState } from 'react'
import type { BodyText, CallRecord } from '../../shared/capture/record'
import { readMessage, readSseBlock } from '../../shared/capture/message'
import type { CallSummary } from '../../shared/capture/summary'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { contentOf } from '../content/content-blocks'
import { ContentView } from '../content/content-view'
import { structuredText } from '../output-schema/structured-text'
import { StructuredView } from '../output-schema/structured-view'
import { useOutputCheck } from '../output-schema/use-output-check'
import { useSource } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import type { WholeText } from '../stores/call-logs'
import { ExchangeChoice } from './exchange-choice'
import { type LegVerdict, answerOf, clientAnswer, compareLegs, isMerged, messageText, withWhole } from './legs'
import { MessageTab } from './message-tab'

export interface BothLegsProps {
  record: CallRecord
  wholes: ReadonlyMap<number, WholeText>
  onLoadWhole: (seq: number) => void
}

/** What the client asked, and what the backend was asked. */
export function RequestTab({ record, wholes, onLoadWhole }: BothLegsProps) {
  const [index, setIndex] = useState(0)
  const exchange = record.exchanges[index] ?? record.exchanges[0]
  const client = record.request?.body ?? null
  const backend = exchange?.sent?.body ?? null
  const edits = exchange?.route?.edits ?? []
  return (
    <MessageTab
      what="request"
      client={client && { body: client }}
      backend={backend && { body: backend }}
      edits={edits}
      came="client"
      verdict={
        isMerged(record)
          ? { kind: 'merged' }
          : compareLegs(withWhole(client, wholes), withWhole(backend, wholes), edits)
      }
      absent={{
        client: 'The request of the client was not recorded.',
        backend:
          exchange === undefined
            ? 'Nothing was sent to a backend: the gateway answered by itself.'
            : 'This request had no body, or it was not recorded.',
      }}
      wholes={wholes}
      onLoadWhole={onLoadWhole}
      choice={<ExchangeChoice exchanges={record.exchanges} index={index} onChange={setIndex} />}
    />
  )
}

/** What the backend answered, and what the client was answered. */
export function ResponseTab({ record, wholes, onLoadWhole }: BothLegsProps) {
  const [index, setIndex] = useState(0)
  const exchange = record.exchanges[index] ?? record.exchanges[0]
  const answer = exchange === undefined ? null : answerOf(exchange)
  const sent = clientAnswer(record)
  const backend = answer === null ? null : messageText(answer)
  const edits = sent !== null && sent.from === answer?.seq ? sent.edits : []
  const extract = answer?.form === 'event' ? dataOf : undefined
  const verdict: LegVerdict = isMerged(record)
    ? { kind: 'merged' }
    : sent !== null && sent.from === answer?.seq
      ? compareLegs(withWhole(backend, wholes, extract), withWhole(sent.body, wholes), edits)
      : { kind: 'none' }
  const answered = sent === null ? null : withWhole(sent.body, wholes)
  const result = useMemo(() => resultOf(answered), [answered])
  const blocks = useMemo(() => result && contentOf(result), [result])
  const structured = useStructured(record.summary, result, answered)
  const waiting = record.ended === null ? 'No answer yet: the call is in flight.' : null
  return (
    <MessageTab
      what="response"
      client={sent && { body: sent.body }}
      backend={
        backend && {
          body: backend,
          ...(extract === undefined ? {} : { extract }),
        }
      }
      edits={edits}
      came="backend"
      verdict={verdict}
      absent={{
        client: waiting ?? 'Nothing was answered: the client went away before.',
        backend: waiting ?? (exchange === undefined ? 'No backend was asked.' : 'The backend sent no answer.'),
      }}
      wholes={wholes}
      onLoadWhole={onLoadWhole}
      choice={<ExchangeChoice exchanges={record.exchanges} index={index} onChange={setIndex} />}
      {...(blocks === undefined ? {} : { content: <ContentView blocks={blocks} /> })}
      {...(structured === null ? {} : { structured })}
    />
  )
}

/** The result of the answer when all of it is here. */
function resultOf(body: BodyText | null): JsonObject | undefined {
  if (body === null || body.clipped || body.missing !== undefined) return undefined
  const { result } = readMessage(body.text)
  return isObject(result) ? result : undefined
}

/** The structured content of a tool's result, looked at against its output schema; null when there is nothing of both. */
function useStructured(summary: CallSummary, result: JsonObject | undefined, answered: BodyText | null) {
  const { selection } = useSource()
  const text = useMemo(
    () => (result?.structuredContent === undefined ? undefined : structuredText(answered?.text ?? '')),
    [result, answered],
  )
  const check = useOutputCheck(summary, result, text)
  if (text === undefined && (check.schema?.kind !== 'schema' || check.problems.length === 0)) return null
  const differs = check.unchecked === null && check.problems.length > 0
  return {
    view: <StructuredView text={text} check={check} onOpen={(call) => selectCall(selection, call)} />,
    problem: differs ? `structured content differs from its schema (${check.problems.length})` : null,
  }
}

function dataOf(block: string): string {
  return readSseBlock(block).data ?? block
}
