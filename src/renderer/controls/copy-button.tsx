import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import controls from './controls.module.css'

interface CopyButtonProps {
  /** The text, or how to get it when it is not here yet. */
  text: string | (() => Promise<string>)
  /** What is copied, for instance `endpoint`. */
  what: string
  /** Shown beside the sign; without it the button is a sign only. */
  label?: string
}

const SHOWN_MS = 1_500

/** Copies a text and says whether that worked. */
export function CopyButton({ text, what, label }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () =>
    setState((await copyText(typeof text === 'string' ? text : await text())) ? 'copied' : 'failed')
  const Icon = state === 'copied' ? Check : state === 'failed' ? TriangleAlert : Copy
  const said = state === 'idle' ? `Copy ${what}` : state === 'copied' ? 'Copied' : 'Could not be copied'
  return (
    <button
      type="button"
      className={label === undefined ? controls.icon : controls.link}
      title={said}
      aria-label={said}
      onClick={() => void copy()}
    >
      {label === undefined ? <Icon size={13} aria-hidden /> : state === 'idle' ? label : state}
    </button>
  )
}

/** Puts a text on the clipboard; false when that is not allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    console.warn('The text could not be copied:', error)
    return false
  }
}
