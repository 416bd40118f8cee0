import { createContext, useContext, useEffect, useId, useState, type InputHTMLAttributes } from 'react'
import type { CompletionQuestion } from '../../shared/api/compose'
import { isObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { useDesk } from '../stores/desk-context'
import { visibleString } from '../text/visible-text'

/** Of which prompt or resource template the fields inside are arguments, and what is typed so far. */
export interface Arguments extends Pick<CompletionQuestion, 'endpoint' | 'era' | 'ref'> {
  values: Record<string, string>
}

const Completed = createContext<Arguments | null>(null)
/** Fields inside are completed by the server; with null they are not. */
export const CompletedArguments = Completed.Provider

/** Every question is a call of its own in the table: none for a letter that the next one follows at once. */
const TYPING_MS = 250
const NONE: readonly string[] = []

interface SuggestedInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'list' | 'value'> {
  value: string
  /** Name of the argument. */
  argument: string
  onText: (text: string) => void
}

/** A line of text with what the server says that it may go on with (server/utilities/completion). */
export function SuggestedInput({ argument, onText, ...input }: SuggestedInputProps) {
  const id = useId()
  const [focused, setFocused] = useState(false)
  const suggestions = useSuggestions(argument, input.value, focused)
  return (
    <>
      <input
        {...input}
        type="text"
        list={suggestions.length === 0 ? undefined : id}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(event) => onText(event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={id} data-testid="suggestions">
          {suggestions.map((value) => (
            <option key={value} value={value} label={labelOf(value)} />
          ))}
        </datalist>
      )}
    </>
  )
}

function useSuggestions(argument: string, value: string, wanted: boolean): readonly string[] {
  const { compose } = useDesk()
  const about = useContext(Completed)
  const [suggestions, setSuggestions] = useState(NONE)
  const question = about === null || !wanted ? null : JSON.stringify(questionOf(about, argument, value))
  useEffect(() => {
    if (question === null) return
    let current = true
    const timer = setTimeout(() => {
      void compose.complete(JSON.parse(question) as CompletionQuestion).then((values) => {
        if (current) setSuggestions([...new Set(values)])
      })
    }, TYPING_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [compose, question])
  return suggestions
}

function questionOf({ endpoint, era, ref, values }: Arguments, name: string, value: string): CompletionQuestion {
  const known = Object.fromEntries(Object.entries(values).filter(([other, text]) => other !== name && text !== ''))
  return { endpoint, era, ref, argument: { name, value }, known }
}

/** A server's text may hide what it is: then that is said beside it. */
function labelOf(value: string): string | undefined {
  const seen = visibleString(value)
  return seen === value ? undefined : seen
}

/** The members of a value that are texts. */
export function textsOf(value: JsonValue | undefined): Record<string, string> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
