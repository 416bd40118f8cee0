import { useEffect, useMemo, useState, type KeyboardEvent } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useStore } from 'zustand'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import { useElementWidth } from '../controls/use-element-width'
import { useLayout } from '../controls/use-layout'
import { useDesk, useStatus } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { AnswerPane } from './answer-pane'
import { CollectionsList } from './collections-list'
import { offerKey } from './compose-store'
import { targetOf } from './draft'
import { readObject } from './params-text'
import { RequestEditor } from './request-editor'
import { RequestLine } from './request-line'
import { SentList } from './sent-list'
import { SettingsFields } from './settings-fields'
import { TargetPicker } from './target-picker'
import styles from './compose.module.css'

type Source = 'offered' | 'saved' | 'sent'

const SOURCES: { value: Source; label: string }[] = [
  { value: 'offered', label: 'offered' },
  { value: 'saved', label: 'saved' },
  { value: 'sent', label: 'sent' },
]
/** Below this width in pixels the answer stands under the request. */
const WIDE = 1_020

/** Compose: what can be asked, the request, and its answer. */
export function ComposePane() {
  const { compose } = useDesk()
  const { draft, offers, calls, shown, notes, error } = useStore(compose.store)
  const connected = useStatus((state) => state.connected)
  const [source, setSource] = useState<Source>('offered')
  // Kept here, since what is above the answer is made anew when the window becomes narrow.
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [saving, setSaving] = useState(false)
  const [holder, width] = useElementWidth<HTMLDivElement>()
  const columns = useLayout('compose', { picker: 22, request: 44, answer: 34 })
  const rows = useLayout('compose-narrow', { picker: 32, right: 68 })
  const state = offers.get(offerKey(draft.endpoint, draft.era))
  const params = useMemo(() => readObject(draft.params).value, [draft.params])
  const call = calls.find(({ id }) => id === shown) ?? null

  useEffect(() => {
    if (connected) void compose.loadOffer(draft.endpoint, draft.era)
  }, [compose, connected, draft.endpoint, draft.era])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void compose.send()
  }

  const picker = (
    <aside className={styles.side} aria-label="requests to begin with">
      <div className={styles.sources}>
        <Segments label="where from" value={source} options={SOURCES} onChange={setSource} />
      </div>
      {source === 'offered' && (
        <TargetPicker
          state={state}
          method={draft.method}
          target={targetOf(draft.method, params)}
          onChoose={(kind, entry) => compose.choose(kind, entry)}
          onRefresh={() => void compose.loadOffer(draft.endpoint, draft.era, true)}
        />
      )}
      {source === 'saved' && <CollectionsList />}
      {source === 'sent' && <SentList calls={calls} shown={shown} onShow={(id) => compose.show(id)} />}
    </aside>
  )
  const request = (
    <div className={styles.request}>
      <RequestLine
        draft={draft}
        settingsOpen={settingsOpen}
        onSettings={() => setSettingsOpen(!settingsOpen)}
        saving={saving}
        onSaving={setSaving}
        onSaved={() => setSource('saved')}
      />
      {error !== null && (
        <div className={styles.notice}>
          <Failure what="That did not work." error={error} onDismiss={() => compose.store.setState({ error: null })} />
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note} role="status">
          <Visible text={note} />
        </p>
      ))}
      {settingsOpen && <SettingsFields draft={draft} />}
      <RequestEditor draft={draft} offer={state?.offer ?? null} />
    </div>
  )
  const answer = (
    <div className={styles.answer}>
      <AnswerPane key={call?.id} call={call} />
    </div>
  )
  return (
    <div ref={holder} className={styles.pane} onKeyDown={onKeyDown} data-testid="compose">
      {width > WIDE && (
        <Group orientation="horizontal" {...columns}>
          <Panel id="picker" minSize={170} data-part="picker">
            {picker}
          </Panel>
          <Separator aria-label="width of the list" />
          <Panel id="request" minSize={320} data-part="request">
            {request}
          </Panel>
          <Separator aria-label="width of the request" />
          <Panel id="answer" minSize={260} data-part="answer">
            {answer}
          </Panel>
        </Group>
      )}
      {width > 0 && width <= WIDE && (
        <Group orientation="horizontal" {...rows}>
          <Panel id="picker" minSize={140} data-part="picker">
            {picker}
          </Panel>
          <Separator aria-label="width of the list" />
          <Panel id="right" minSize={240} data-part="right">
            <div className={styles.stack}>
              {request}
              {answer}
            </div>
          </Panel>
        </Group>
      )}
    </div>
  )
}
