import type { Problem } from './schema-check'

const CONTROLS = 'input, select, textarea, button'

/** The pointer that a problem is shown at: its own, or that of the nearest place around it that a form has. */
export function nearestPlace(pointer: string, places: ReadonlySet<string>): string | null {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (places.has(at)) return at
  return null
}

/**
 * Brings the first field of a form that has a problem into sight, and the keyboard to it. First is what stands first in
 * the form. False when the form has no field for any of them.
 */
export function goToFirstProblem(form: ParentNode, problems: readonly Problem[]): boolean {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-pointer]')]
  const places = new Set(fields.map((field) => field.dataset.pointer ?? ''))
  const wanted = new Set(problems.map(({ pointer }) => nearestPlace(pointer, places)))
  // Groups stand before what is in them: one that has a problem below, but none of its own, is not in `wanted`.
  const field = fields.find(({ dataset }) => wanted.has(dataset.pointer ?? ''))
  const control = field === undefined ? null : [...field.querySelectorAll<HTMLElement>(CONTROLS)].find(isForValue)
  if (field === undefined || control === undefined || control === null) return false
  control.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'nearest' })
  return true
}

/** What takes a field away stands before its value. */
function isForValue(control: HTMLElement): boolean {
  return control.dataset.removes === undefined
}
