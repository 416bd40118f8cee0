import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useRef } from 'react'
import styles from './json-editor.module.css'

/** A mark in the text, from and to in characters. */
export interface TextMark {
  from: number
  to: number
  message: string
}

interface JsonEditorProps {
  value: string
  /** What is edited, for instance `params`. */
  label: string
  marks?: readonly TextMark[]
  /** A place to go to; each new object is gone to once. */
  sought?: TextMark | null
  onChange: (value: string) => void
}

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '11.5px', color: 'var(--text)', backgroundColor: 'var(--bg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--dim)', border: 'none' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent)' },
  '.cm-matchingBracket': { backgroundColor: 'transparent' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', border: '1px solid var(--line)', color: 'var(--dim)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    maxWidth: '360px',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--font)',
  },
  '.cm-diagnostic': { borderLeft: '3px solid var(--error)', overflowWrap: 'anywhere' },
  '.cm-specialChar': { color: 'var(--error)' },
})
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-key)' },
  { tag: tags.string, color: 'var(--json-string)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-word)' },
])

/**
 * An editor for JSON. It stands in a shadow root: there its style sheets are constructed ones, which the desk's content
 * security policy needs no exception for.
 */
export function JsonEditor({ value, label, marks, sought, onChange }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useEffectEvent((text: string) => {
    if (text !== value) onChange(text)
  })
  const beginning = useEffectEvent(() => value)

  useEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      state: EditorState.create({
        doc: beginning(),
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightSpecialChars(),
          json(),
          syntaxHighlighting(colours),
          theme,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, role: 'textbox', spellcheck: 'false', tabindex: '0' }),
          keymap.of([
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            ...historyKeymap,
            ...foldKeymap,
            { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic, preventDefault: true },
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    root.replaceChildren(editor.dom)
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [label])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    // What a form changed: the cursor stays where it can.
    const { head } = editor.state.selection.main
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      selection: { anchor: Math.min(head, value.length) },
    })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    const { length } = editor.state.doc
    const diagnostics = (marks ?? []).map(({ from, to, message }): Diagnostic => {
      const begin = Math.min(from, length)
      return { from: begin, to: Math.max(begin, Math.min(to, length)), severity: 'error', message }
    })
    editor.dispatch(setDiagnostics(editor.state, diagnostics))
  }, [marks, value])

  useEffect(() => {
    const editor = view.current
    if (editor === null || sought === null || sought === undefined) return
    const { length } = editor.state.doc
    const selection = { anchor: Math.min(sought.from, length), head: Math.min(sought.to, length) }
    editor.dispatch({ selection, scrollIntoView: true })
    editor.focus()
  }, [sought])

  return <div ref={host} className={styles.editor} data-typing data-testid="json-editor" />
}
