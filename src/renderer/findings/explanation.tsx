import type { GuideEntry } from '../../shared/findings/guide/entry'
import { specAddress } from '../../shared/findings/sarif'
import { CopyButton } from '../controls/copy-button'
import styles from './findings.module.css'

/** What the guide teaches of a rule. The text is our own; addresses are for copying, not for following. */
export function Explanation({ entry, rule }: { entry: GuideEntry; rule: string }) {
  const { why, look, spec, legacySpec } = entry
  return (
    <div className={styles.explanation}>
      <p>{why}</p>
      <p>
        <strong>Where to look:</strong> {look}
      </p>
      <p className={styles.about}>
        rule <code>{rule}</code> · specification <code>{spec}</code>
        {legacySpec !== undefined && (
          <>
            , also <code>{legacySpec}</code>
          </>
        )}{' '}
        <CopyButton text={specAddress(spec)} what="the address of the section" label="copy address" />
      </p>
    </div>
  )
}
