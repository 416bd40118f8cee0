import { useMemo, useState } from 'react'
import type { BodyText, CallRecord } from '../../shared/capture/record'
import { readMessage, readSseBlock } from '../../shared/capture/message'
import { isObject } from '../../shared/protocol/json-rpc'
import { contentOf, type ContentBlock } from '../content/content-blocks'
import { ContentView } from '../content/content-view'
import type { WholeText } from '../stores/call-logs'
import { ExchangeChoice } from './exchange-choice'
import { type LegVerdict, answerOf, clientAnswer, compareLegs, messageText, withWhole } from './legs'
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
      verdict={compareLegs(withWhole(client, wholes), withWhole(backend, wholes), edits)}
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
  const verdict: LegVerdict =
    sent !== null && sent.from === answer?.seq
      ? compareLegs(withWhole(backend, wholes, extract), withWhole(sent.body, wholes), edits)
      : { kind: 'none' }
  const answered = sent === null ? null : withWhole(sent.body, wholes)
  const blocks = useMemo(() => contentOfAnswer(answered), [answered])
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
    />
  )
}

/** The content of the answer when all of it is here. */
function contentOfAnswer(body: BodyText | null): ContentBlock[] | undefined {
  if (body === null || body.clipped || body.missing !== undefined) return undefined
  const { result } = readMessage(body.text)
  return isObject(result) ? contentOf(result) : undefined
}

function dataOf(block: string): string {
  return readSseBlock(block).data ?? block
}
