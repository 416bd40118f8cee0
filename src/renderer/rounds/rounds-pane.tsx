import { useEffect, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { Failure } from '../controls/failure'
import { useWallClock } from '../controls/use-wall-clock'
import { useCommand } from '../controls/use-command'
import { useRounds, useSource } from '../stores/desk-context'
import shell from '../shell/shell.module.css'
import { drivenRounds } from './driven-rounds'
import { DrivenTab } from './driven-tab'
import { QuestionsTab } from './questions-tab'
import { RoundsTab } from './rounds-tab'

/** More rounds than this of one operation are not opened at once. */
const MOST_ROUNDS = 40

/** The rounds of the operation that a call belongs to, each followed while it is shown. */
export function RoundsPane({ record, onOpen }: { record: CallRecord; onOpen: (call: number) => void }) {
  const driven = drivenRounds(record)
  if (driven !== null) return <DrivenTab record={record} rounds={driven} />
  const questions = record.questions.some(({ by, method }) => by === 'backend' && method !== 'ping')
  return questions ? <QuestionsTab record={record} /> : <OperationPane record={record} onOpen={onOpen} />
}

function OperationPane({ record, onOpen }: { record: CallRecord; onOpen: (call: number) => void }) {
  const operation =
    record.route?.operation ?? record.states.find((state) => state.sealed !== null)?.sealed?.operation ?? null
  const rounds = useRounds(operation)
  const { run, error } = useCommand('operation.calls')
  const [calls, setCalls] = useState<readonly number[]>([record.call])
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (operation === null) {
      setCalls([record.call])
      return
    }
    void run({ operation }).then((answer) => {
      if (answer === undefined) return
      const all = answer.calls.includes(record.call) ? answer.calls : [...answer.calls, record.call]
      setCalls(all.sort((a, b) => a - b).slice(-MOST_ROUNDS))
    })
    // `rounds` grows when a further round of the operation was seen.
  }, [operation, record.call, rounds, attempt, run])
  const records = useRecords(calls)
  const nowSeconds = useWallClock(1000) / 1000
  return (
    <>
      {error !== null && (
        <div className={shell.failure}>
          <Failure what="The other rounds could not be found." error={error} onRetry={() => setAttempt(attempt + 1)} />
        </div>
      )}
      <RoundsTab
        records={records.length === 0 ? [record] : records}
        current={record.call}
        nowSeconds={nowSeconds}
        onOpen={onOpen}
      />
    </>
  )
}

/** The records of several calls, kept up to date; those that are not loaded yet are left out. */
function useRecords(calls: readonly number[]): CallRecord[] {
  const { logs } = useSource()
  const [records, setRecords] = useState<CallRecord[]>([])
  useEffect(() => {
    const held = calls.map((call) => logs.acquire(call))
    const read = () => setRecords(held.flatMap(({ log }) => log.store.getState().record ?? []))
    const leave = held.map(({ log }) => log.store.subscribe(read))
    read()
    return () => {
      for (const each of leave) each()
      for (const { release } of held) release()
    }
  }, [logs, calls])
  return records
}
