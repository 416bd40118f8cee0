import styles from './patterns.module.css'

/** Hatchings that every drawing of the page refers to. */
export function Patterns() {
  return (
    <svg className={styles.patterns} aria-hidden="true">
      <defs>
        <pattern id="hatch" width={7} height={7} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={2.5} height={7} className={styles.stroke} />
        </pattern>
        <pattern id="hatch-fine" width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={2} height={5} className={styles.stroke} />
        </pattern>
      </defs>
    </svg>
  )
}
