import { useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Segments } from '../controls/segments'
import { PlainText } from '../json/plain-text'
import type { WholeText } from '../stores/call-logs'
import { plural } from '../text/format'
import { rawTexts } from './raw-text'
import styles from './message-tab.module.css'

interface RawTabProps {
  record: CallRecord
  wholes: ReadonlyMap<number, WholeText>
  onLoadWhole: (seq: number) => void
}

/** Everything that crossed, as text. */
export function RawTab({ record, wholes, onLoadWhole }: RawTabProps) {
  const [leg, setLeg] = useState<'client' | 'backend'>('client')
  const texts = rawTexts(record, (seq) => {
    const whole = wholes.get(seq)
    return whole?.state === 'ready' ? whole.text : undefined
  })
  const text = texts[leg]
  const loading = texts.cut.some((seq) => wholes.get(seq)?.state === 'loading')
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Segments
          label="leg"
          value={leg}
          options={[
            { value: 'client', label: 'client leg' },
            { value: 'backend', label: 'backend leg' },
          ]}
          onChange={setLeg}
        />
        <CopyButton text={text} what="everything that crossed this leg" label="copy all" />
        {texts.cut.length > 0 && (
          <>
            <span className={styles.unsure}>{plural(texts.cut.length, 'text')} clipped</span>
            <button
              type="button"
              className={controls.button}
              disabled={loading}
              onClick={() => texts.cut.forEach(onLoadWhole)}
            >
              {loading ? 'Loading…' : 'Load whole'}
            </button>
          </>
        )}
      </div>
      <div className={styles.body}>
        {text === '' ? (
          <p className={styles.absent}>Nothing crossed this leg.</p>
        ) : (
          <PlainText text={text} label={`${leg} leg, raw`} />
        )}
      </div>
    </div>
  )
}
