import type { Mark } from '../../shared/capture/annotation'
import styles from './annotations.module.css'

/** A shape each, so that marks are told apart without their colours. In a square of 12. */
const SHAPES: Readonly<Record<Mark, string>> = {
  red: 'M6 1.4 11 10.4H1Z',
  orange: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z',
  green: 'M1.8 1.8h8.4v8.4H1.8Z',
  blue: 'M6 .6 11.4 6 6 11.4.6 6Z',
  violet: 'M6 .7l1.6 3.5 3.8.4-2.8 2.6.8 3.7L6 9l-3.4 1.9.8-3.7L.6 4.6l3.8-.4Z',
}
export const SHAPE_NAMES: Readonly<Record<Mark, string>> = {
  red: 'triangle',
  orange: 'circle',
  green: 'square',
  blue: 'diamond',
  violet: 'star',
}

/** A mark in its colour and shape; with a `title` it says what it is, without it stands beside words that do. */
export function MarkShape({ mark, size = 12, title }: { mark: Mark; size?: number; title?: string }) {
  const named = title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title }
  return (
    <svg className={styles[mark]} width={size} height={size} viewBox="0 0 12 12" data-mark={mark} {...named}>
      {title !== undefined && <title>{title}</title>}
      <path d={SHAPES[mark]} fill="currentColor" />
    </svg>
  )
}
