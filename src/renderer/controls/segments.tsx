import type { KeyboardEvent } from 'react'
import controls from './controls.module.css'

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  disabled?: boolean
  onChange: (value: T) => void
}

/** One of a few, as a row of buttons; arrow keys move between them. */
export function Segments<T extends string>({ label, value, options, disabled = false, onChange }: SegmentsProps<T>) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = options.findIndex((option) => option.value === value)
    const next = options[(index + step + options.length) % options.length]
    if (next === undefined) return
    onChange(next.value)
    const buttons = event.currentTarget.querySelectorAll('button')
    buttons[options.indexOf(next)]?.focus()
  }
  return (
    <div className={controls.segments} role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          className={controls.segment}
          disabled={disabled}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
