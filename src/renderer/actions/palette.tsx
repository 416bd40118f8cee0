import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { Visible } from '../text/visible'
import { ACTION_GROUPS, ACTIONS, type ActionId } from './catalog'
import { isMac, keyOf, shownChord, type ChosenKeys } from './keymap'
import { matchScore } from './match'
import { useActionsStore } from './use-actions'
import styles from './palette.module.css'

/** What the palette lists beside the actions, by the name of what it is about. */
export interface PalettePlace {
  id: string
  /** For instance `Backend`, or what is done with it. */
  kind: string
  /** Text of servers or files: hostile. */
  name: string
  go: () => void
}

interface PaletteProps {
  places: readonly PalettePlace[]
  /** What can be done with each backend. Listed only once something is typed: there may be many. */
  ofBackends: readonly PalettePlace[]
  chosen: ChosenKeys
  /** Opens a call by its number. */
  onCall: (call: number) => void
  /** What it begins with, for instance `#`. */
  initial: string
  onClose: () => void
}

/** Every command, found by typing; as a modal dialog of the platform, which keeps the focus and closes with Esc. */
export function Palette({ places, ofBackends, chosen, onCall, initial, onClose }: PaletteProps) {
  const store = useActionsStore()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState(initial)
  // What could be done when it was opened: the dialog itself offers nothing.
  const [doable] = useState(() => store.doable().filter((id) => id !== 'palette.open'))
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    input.current?.focus()
  }, [])

  const call = /^#?(\d{1,9})$/.exec(text.trim())?.[1]
  const choose = (doIt: (() => void) | undefined) => {
    // Closed first, so that focus is back where it was and the action may move it.
    dialog.current?.close()
    // The dialog's own event comes later, and would take a palette away that was opened meanwhile.
    onClose()
    doIt?.()
  }
  return (
    <dialog ref={dialog} className={styles.palette} aria-label="commands" onClose={onClose} data-testid="palette">
      <Command
        loop
        label="commands"
        shouldFilter={call === undefined}
        filter={(_value, typed, texts) => matchScore(typed, texts ?? [])}
      >
        <Command.Input
          ref={input}
          className={styles.input}
          value={text}
          onValueChange={setText}
          placeholder="A command, a backend, or #number of a call"
        />
        <Command.List className={styles.list}>
          <Command.Empty className={styles.empty}>Nothing is called so.</Command.Empty>
          {call !== undefined ? (
            <Command.Item
              value={`call ${call}`}
              className={styles.item}
              onSelect={() => choose(() => onCall(Number(call)))}
            >
              Open call #{call}
            </Command.Item>
          ) : (
            <>
              {ACTION_GROUPS.map((group) => (
                <Actions
                  key={group}
                  group={group}
                  ids={doable.filter((id) => ACTIONS[id].group === group)}
                  chosen={chosen}
                  onChoose={(id) => choose(store.find(id))}
                />
              ))}
              <Places
                heading="Places"
                places={places}
                wordsOf={({ name, kind }) => [name, kind]}
                onChoose={({ go }) => choose(go)}
              />
              {text.trim() !== '' && (
                <Places
                  heading="One backend"
                  places={ofBackends}
                  wordsOf={({ name, kind }) => [`${kind} ${name}`, 'backend']}
                  onChoose={({ go }) => choose(go)}
                />
              )}
            </>
          )}
        </Command.List>
      </Command>
    </dialog>
  )
}

interface PlacesProps {
  heading: string
  places: readonly PalettePlace[]
  /** Words to find it by, its title first. */
  wordsOf: (place: PalettePlace) => string[]
  onChoose: (place: PalettePlace) => void
}

function Places({ heading, places, wordsOf, onChoose }: PlacesProps) {
  if (places.length === 0) return null
  return (
    <Command.Group heading={heading} className={styles.group}>
      {places.map((place) => (
        <Command.Item
          key={place.id}
          value={place.id}
          keywords={wordsOf(place)}
          className={styles.item}
          onSelect={() => onChoose(place)}
        >
          <span className={styles.kind}>{place.kind}</span>
          <span className={styles.name}>
            <Visible text={place.name} />
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

interface ActionsProps {
  group: string
  ids: readonly ActionId[]
  chosen: ChosenKeys
  onChoose: (id: ActionId) => void
}

function Actions({ group, ids, chosen, onChoose }: ActionsProps) {
  if (ids.length === 0) return null
  return (
    <Command.Group heading={group} className={styles.group}>
      {ids.map((id) => {
        const { title, words } = ACTIONS[id] as { title: string; words?: string }
        const key = keyOf(id, chosen)
        return (
          <Command.Item
            key={id}
            value={id}
            keywords={[title, group, words ?? '']}
            className={styles.item}
            onSelect={() => onChoose(id)}
          >
            <span className={styles.name}>{title}</span>
            {key !== null && <kbd>{shownChord(key, isMac(navigator.platform))}</kbd>}
          </Command.Item>
        )
      })}
    </Command.Group>
  )
}
