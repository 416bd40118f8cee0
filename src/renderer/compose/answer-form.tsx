import { useEffect, useRef, useState } from 'react'
import type { ComposedCall, InputAsk, InputResponses } from '../../shared/api/compose'
import controls from '../controls/controls.module.css'
import { useDesk } from '../stores/desk-context'
import { plural } from '../text/format'
import { AskCard } from './ask-card'
import { beginAsk, kindOf, responseOf, schemaOf, type AskDraft } from './ask-draft'
import { questionOf } from './compose-store'
import { readObject } from './params-text'
import { checkInWorker } from './use-schema-check'
import styles from './answer.module.css'

/** The open questions of a composed call. It is made anew for each round. */
export function AnswerForm({ call }: { call: ComposedCall }) {
  const { compose } = useDesk()
  const { roots } = compose.store.getState()
  const [drafts, setDrafts] = useState<ReadonlyMap<string, AskDraft>>(
    () => new Map(call.asks.map((ask) => [ask.key, beginAsk(ask, roots)])),
  )
  const [problem, setProblem] = useState<string | null>(null)
  /** These very answers were held up once. */
  const [held, setHeld] = useState(false)
  const [tried, setTried] = useState(false)
  const draftOf = (ask: InputAsk) => drafts.get(ask.key) ?? beginAsk(ask, roots)

  const actions = useRef<HTMLDivElement>(null)
  // What is told of the fields moves the button down, which may still have the focus; some of it is told later.
  useEffect(() => {
    const box = actions.current
    if (problem === null || box === null) return
    box.scrollIntoView({ block: 'nearest' })
    const observer = new ResizeObserver(() => {
      if (box.contains(document.activeElement)) box.scrollIntoView({ block: 'nearest' })
    })
    if (box.parentElement !== null) observer.observe(box.parentElement)
    return () => observer.disconnect()
  }, [problem])

  const answer = async () => {
    if (!held && (await anyWrong(call.asks.map((ask) => ({ ask, draft: draftOf(ask) }))))) {
      setProblem('The schema does not allow this answer. Correct it, or send it all the same.')
      setTried(true)
      return setHeld(true)
    }
    const responses: InputResponses = {}
    for (const ask of call.asks) {
      const read = responseOf(ask, draftOf(ask))
      if ('problem' in read) return setProblem(`${ask.key}: ${read.problem}`)
      responses[ask.key] = read.response
    }
    for (const ask of call.asks) remember(ask, draftOf(ask), responses)
    setProblem(null)
    void compose.answer(call.id, responses)
  }

  const remember = (ask: InputAsk, draft: AskDraft, responses: InputResponses) => {
    const { value } = readObject(draft.text)
    const kind = kindOf(ask)
    const response = responses[ask.key]
    if (draft.always && response !== undefined) compose.keepRule({ ...questionOf(call.request, ask), response })
    if (kind === 'sampling' && isText(value?.content)) compose.keepSample(value.content.text)
    if (kind === 'roots' && Array.isArray(value?.roots))
      compose.store.setState({ roots: value.roots.filter(isRoot).map(({ uri }) => uri) })
  }

  if (call.asks.length === 0)
    return (
      <section className={styles.asks} data-testid="asks">
        <p>The backend asks nothing. It only wants to be called again with the state that it gave.</p>
        <div className={styles.actions}>
          <button type="button" className={controls.primary} onClick={() => void compose.answer(call.id, {})}>
            Call again
          </button>
          <Refuse call={call} />
        </div>
      </section>
    )
  return (
    <form
      className={styles.asks}
      data-testid="asks"
      aria-label="questions of the backend"
      onSubmit={(event) => {
        event.preventDefault()
        void answer()
      }}
    >
      {call.asks.map((ask) => (
        <AskCard
          key={ask.key}
          id={call.id}
          ask={ask}
          draft={draftOf(ask)}
          tried={tried}
          onChange={(change) => {
            setHeld(false)
            setProblem(null)
            setDrafts((before) => new Map(before).set(ask.key, { ...draftOf(ask), ...before.get(ask.key), ...change }))
          }}
        />
      ))}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div ref={actions} className={styles.actions}>
        <button type="submit" className={controls.primary}>
          {held
            ? 'Send anyway'
            : call.asks.length === 1
              ? 'Send the answer'
              : `Send ${plural(call.asks.length, 'answer')}`}
        </button>
        <Refuse call={call} />
      </div>
    </form>
  )
}

/** Whether an accepted form breaks its schema. */
async function anyWrong(answers: readonly { ask: InputAsk; draft: AskDraft }[]): Promise<boolean> {
  const checked = await Promise.all(
    answers.map(async ({ ask, draft }) => {
      const { value } = readObject(draft.text)
      const checks = kindOf(ask) === 'form' && draft.action === 'accept' && value !== null
      return checks ? checkInWorker(schemaOf(ask), value) : null
    }),
  )
  return checked.some((result) => result !== null && result.problems.length > 0)
}

function Refuse({ call }: { call: ComposedCall }) {
  const { compose } = useDesk()
  const words =
    call.request.era === 'modern'
      ? 'Nothing is sent: a modern client that does not want to answer simply does not go on.'
      : 'The server is told that the user refused.'
  return (
    <button type="button" className={controls.button} title={words} onClick={() => void compose.answer(call.id, null)}>
      {call.request.era === 'modern' ? 'Do not go on' : 'Refuse'}
    </button>
  )
}

function isText(value: unknown): value is { text: string } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}
function isRoot(value: unknown): value is { uri: string } {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string'
}
