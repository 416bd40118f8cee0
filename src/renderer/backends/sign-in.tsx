import type { BackendStatus } from '../../shared/api/contract'
import { Card, Facts } from '../controls/card'
import { CopyButton } from '../controls/copy-button'
import page from '../controls/page.module.css'
import { readChallenges, signInAdvice, signInSnippet } from './read-challenge'
import { Visible } from '../text/visible'
import styles from './backend-view.module.css'

/** Why a backend lets no call in, in its own words, and what to write into the configuration. */
export function SignIn({ backend }: { backend: BackendStatus }) {
  const { challenge, name, url } = backend
  const challenges = readChallenges(challenge ?? '')
  const snippet = signInSnippet(name, url ?? '', challenges)
  return (
    <div className={styles.signIn} data-testid="sign-in">
      <Card
        title="WWW-Authenticate"
        note={challenge === undefined ? undefined : <CopyButton text={challenge} what="challenge" label="copy" />}
      >
        {challenge === undefined ? (
          <p className={page.quiet}>It refused without saying how to sign in.</p>
        ) : challenges.length === 0 ? (
          <p className={styles.mono}>
            <Visible text={challenge} />
          </p>
        ) : (
          challenges.map(({ scheme, parameters }, index) => (
            <Facts
              key={index}
              facts={[
                { name: 'scheme', value: scheme },
                ...parameters.map(([parameter, value], place) => ({
                  name:
                    parameter === 'resource_metadata'
                      ? 'metadata'
                      : parameters.findIndex(([one]) => one === parameter) === place
                        ? parameter
                        : `${parameter} ${place}`,
                  value,
                })),
              ]}
            />
          ))
        )}
      </Card>
      <Card title="what to configure" note={<CopyButton text={snippet} what="entry of this backend" label="copy" />}>
        <p className={styles.advice}>
          {signInAdvice(challenges)} Under <code>mcpServers</code>, with the secret in an environment variable:
        </p>
        <pre className={styles.snippet}>{snippet}</pre>
        <p className={styles.advice}>
          Or let clients send their own: <code>"passHeaders": ["Authorization"]</code>. A changed configuration is
          applied at once.
        </p>
      </Card>
    </div>
  )
}
