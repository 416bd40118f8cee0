import { RefreshCw } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { EndpointOffer } from '../../shared/api/compose'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useRoving } from '../controls/use-roving'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import type { OfferState } from './compose-store'
import { METHODS, type OfferKind } from './draft'
import { partsOf } from './offer-name'
import styles from './compose.module.css'

interface TargetPickerProps {
  state: OfferState | undefined
  /** What is composed now: a kind's method and a name. */
  method: string
  target: string | null
  onChoose: (kind: OfferKind, entry: JsonObject) => void
  onRefresh: () => void
}

interface Entry {
  kind: OfferKind
  name: string
  title: string
  entry: JsonObject
}

const GROUPS: { kind: OfferKind; title: string }[] = [
  { kind: 'tool', title: 'Tools' },
  { kind: 'prompt', title: 'Prompts' },
  { kind: 'resource', title: 'Resources' },
  { kind: 'template', title: 'Resource templates' },
  { kind: 'method', title: 'Other requests' },
]
const MOST_SHOWN = 300

/** What an endpoint offers, to begin a request with. */
export function TargetPicker({ state, method, target, onChoose, onRefresh }: TargetPickerProps) {
  const [wanted, setWanted] = useState('')
  const entries = useMemo(() => entriesOf(state?.offer ?? null), [state?.offer])
  const found = entries.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(wanted.toLowerCase()))
  const problems = state?.offer?.problems ?? []
  const list = useRef<HTMLDivElement>(null)
  const groups = GROUPS.map((group) => ({ ...group, entries: found.filter(({ kind }) => kind === group.kind) }))
  const listed = groups.flatMap(({ entries: each }) => each.slice(0, MOST_SHOWN))
  const current = listed.find((each) => isChosen(each, method, target))
  const roving = useRoving(listed.map(keyOf), current === undefined ? undefined : keyOf(current))
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    roving.enter(list.current)
  }
  return (
    <div className={styles.picker} ref={list} {...roving.list}>
      <div className={styles.search}>
        <input
          className={controls.input}
          type="search"
          value={wanted}
          placeholder="find a tool, prompt, resource…"
          aria-label="find what to compose"
          onChange={(event) => setWanted(event.target.value)}
          onKeyDown={onSearchKey}
        />
        <button
          type="button"
          className={controls.icon}
          aria-label="read the lists again"
          title="Read the lists again"
          disabled={state?.loading}
          onClick={onRefresh}
        >
          <RefreshCw size={13} aria-hidden />
        </button>
      </div>
      {state !== undefined && state.error !== null && (
        <Failure what="The lists could not be read." error={state.error} onRetry={onRefresh} />
      )}
      {problems.map((problem) => (
        <p key={problem} className={styles.warning}>
          <Visible text={problem} />
        </p>
      ))}
      {state?.loading === true && state.offer === null && (
        <p className={styles.quiet} role="status">
          Reading the lists of the endpoint…
        </p>
      )}
      {groups.map(({ kind, title, entries: group }) => {
        if (group.length === 0) return null
        return (
          <section key={kind} aria-label={title}>
            <h3 className={styles.groupTitle}>
              {title} <small>{group.length}</small>
            </h3>
            <ul>
              {group.slice(0, MOST_SHOWN).map((each, index) => {
                const on = isChosen(each, method, target)
                return (
                  <li key={`${each.name} ${index}`}>
                    <button
                      {...roving.item(keyOf(each))}
                      type="button"
                      className={styles.entry}
                      data-on={on || undefined}
                      aria-current={on || undefined}
                      data-testid="offer-entry"
                      title={visibleString(each.title === '' ? each.name : `${each.title}\n${each.name}`)}
                      onClick={() => onChoose(kind, each.entry)}
                    >
                      <OfferName name={each.name} />
                    </button>
                  </li>
                )
              })}
            </ul>
            {group.length > MOST_SHOWN && (
              <p className={styles.quiet}>{group.length - MOST_SHOWN} more: search for them.</p>
            )}
          </section>
        )
      })}
      {found.length === 0 && <p className={styles.quiet}>Nothing of that name.</p>}
    </div>
  )
}

/** Where a name is too long, what tells it from others of its backend stays in sight. */
function OfferName({ name }: { name: string }) {
  const [backend, own] = partsOf(name)
  return (
    <span className={styles.offerName}>
      {backend !== '' && (
        <span>
          <Visible text={backend} />
        </span>
      )}
      <span>
        <Visible text={own} />
      </span>
    </span>
  )
}

function entriesOf(offer: EndpointOffer | null): Entry[] {
  const list = (kind: OfferKind, entries: readonly JsonObject[], key: string): Entry[] =>
    entries
      .filter((entry) => typeof entry[key] === 'string')
      .map((entry) => ({ kind, name: String(entry[key]), title: titleOf(entry), entry }))
  return [
    ...(offer === null
      ? []
      : [
          ...list('tool', offer.tools, 'name'),
          ...list('prompt', offer.prompts, 'name'),
          ...list('resource', offer.resources, 'uri'),
          ...list('template', offer.resourceTemplates, 'uriTemplate'),
        ]),
    ...list(
      'method',
      METHODS.slice(3).map((name): JsonObject => ({ name })),
      'name',
    ),
  ]
}

function keyOf({ kind, name }: Entry): string {
  return `${kind} ${name}`
}

function titleOf({ title, name }: JsonObject): string {
  return typeof title === 'string' ? title : typeof name === 'string' ? name : ''
}

function isChosen({ kind, name }: Entry, method: string, target: string | null): boolean {
  switch (kind) {
    case 'tool':
      return method === 'tools/call' && target === name
    case 'prompt':
      return method === 'prompts/get' && target === name
    case 'resource':
      return method === 'resources/read' && target === name
    case 'template':
      return false
    case 'method':
      return method === name
  }
}
