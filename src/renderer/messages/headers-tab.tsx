import { useState, type ReactNode } from 'react'
import type { HeaderList } from '../../shared/capture/events'
import type { CallRecord } from '../../shared/capture/record'
import { Visible } from '../text/visible'
import { addedToRequest, addedToResponse, type AddedField } from './added-fields'
import { ExchangeChoice } from './exchange-choice'
import { HeaderTable } from './header-table'
import styles from './headers-tab.module.css'

/** Header fields of both legs: requests in one column each, responses below. `startedAt`: beginning of the capture, Unix milliseconds. */
export function HeadersTab({ record, startedAt }: { record: CallRecord; startedAt: number }) {
  const [index, setIndex] = useState(0)
  const exchange = record.exchanges[index] ?? record.exchanges[0]
  const { request, response } = record
  const stdio = exchange?.sent?.http.method === 'stdio'
  return (
    <div className={styles.tab} tabIndex={0} role="region" aria-label="headers">
      <Leg
        title="Client leg · request"
        line={request && `${request.http.method} ${request.http.path}`}
        headers={request?.http.headers}
        absent="was not recorded"
      />
      <Leg
        title="Backend leg · request"
        line={exchange?.sent && `${exchange.sent.http.method} ${exchange.sent.http.url}`}
        headers={stdio ? undefined : exchange?.sent?.http.headers}
        added={exchange?.sent && !stdio ? addedToRequest(exchange.sent) : []}
        absent={
          stdio ? 'a line on the stdin of its process: stdio has no header fields' : 'nothing was sent to a backend'
        }
        choice={<ExchangeChoice exchanges={record.exchanges} index={index} onChange={setIndex} />}
      />
      <Leg
        title="Client leg · response"
        line={response.commit && `HTTP ${response.commit.status}`}
        headers={response.commit?.headers}
        added={addedToResponse(record, startedAt)}
        absent={record.ended === null ? 'not committed yet' : 'nothing was written to the client'}
      />
      <Leg
        title="Backend leg · response"
        line={exchange?.head && `HTTP ${exchange.head.status}`}
        headers={exchange?.head?.headers}
        absent={
          stdio
            ? 'lines on the stdout of its process: stdio has no response head'
            : exchange === undefined
              ? 'no backend was asked'
              : 'no response head came'
        }
      />
    </div>
  )
}

interface LegProps {
  title: string
  line: string | null | undefined
  headers: HeaderList | undefined
  added?: readonly AddedField[]
  absent: string
  choice?: ReactNode
}

function Leg({ title, line, headers, added, absent, choice }: LegProps) {
  return (
    <section className={styles.leg}>
      <h2 className={styles.title}>
        {title}
        {choice}
      </h2>
      {line !== null && line !== undefined && (
        <p className={styles.line}>
          <Visible text={line} />
        </p>
      )}
      {headers === undefined ? (
        <p className={styles.absent}>{absent}</p>
      ) : (
        <HeaderTable headers={headers} {...(added === undefined ? {} : { added })} />
      )}
    </section>
  )
}
