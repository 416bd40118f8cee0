import styles from './shell.module.css'

/** The whole page, when the server does not know this page's token. */
export function Unauthorized() {
  return (
    <main className={styles.refused}>
      <div>
        <h1>This page may not speak to Sluice</h1>
        <p>
          Each run of Sluice has a token of its own, so that no other page on this computer can read your traffic. This
          page has none, or that of an earlier run.
        </p>
        <p>
          Open the URL that <code>sluice serve --ui</code> printed when it started; it ends in <code>?token=…</code>.
        </p>
      </div>
    </main>
  )
}
