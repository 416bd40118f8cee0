import { memo } from 'react'
import { isPlain, visibleParts } from './visible-text'
import styles from './visible.module.css'

/** Text of a server or client: never markup, hidden characters shown as signs, its direction kept to itself. */
export const Visible = memo(function Visible({ text, block = false }: { text: string; block?: boolean }) {
  // It needs no element of its own.
  if (isPlain(text)) return text
  const parts = visibleParts(text, block ? 'block' : 'line')
  return (
    <bdi>
      {parts.map((part, index) =>
        part.stands === undefined ? (
          part.text
        ) : (
          <span key={index} className={styles.sign} title={part.stands}>
            {part.text}
          </span>
        ),
      )}
    </bdi>
  )
})
