import { useState } from 'react'
import controls from '../controls/controls.module.css'
import { formatBytes, plural } from '../text/format'
import { firstBytes, hexLines } from './content-blocks'
import styles from './content.module.css'

const FIRST_BYTES = 1_024
const MORE_BYTES = 16_384

/** Bytes that are no text, some of them at first. */
export function Hex({ base64, bytes }: { base64: string; bytes: number }) {
  const [most, setMost] = useState(FIRST_BYTES)
  const shown = Math.min(bytes, most)
  return (
    <>
      <pre className={styles.hex} tabIndex={0} aria-label={`the first ${plural(shown, 'byte')}`}>
        {hexLines(firstBytes(base64, shown)).join('\n')}
      </pre>
      {shown < bytes && (
        <button type="button" className={controls.link} onClick={() => setMost(most + MORE_BYTES)}>
          {formatBytes(shown)} of {formatBytes(bytes)}; more
        </button>
      )}
    </>
  )
}
