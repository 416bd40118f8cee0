import type { Configuration } from '../shared/config/schema'
import type { Recorder } from './capture/recorder-contract'
import { ConfigurationError } from './config/configuration-error'
import { redactionNames } from './config/redaction-names'
import type { LiveSecrets } from './config/secrets/live-secrets'
import type { SecretVault } from './config/secrets/secret-vault'
import { watchConfiguration } from './config/watch-configuration'
import type { Control } from './control/control'
import type { Gateway } from './gateway/gateway'
import type { Notice } from './notice'
import { playedRecording } from './played-captures'

/** What a change of the configuration goes to. */
interface Followers {
  gateway: Gateway
  recorder: Recorder
  inForce: (configuration: Configuration) => Configuration
  vault: SecretVault
  secrets: LiveSecrets
  control: Control
}

/** Applies what is written into the file while it runs. Answers with what stops that. */
export function followConfiguration(
  file: string,
  { env, onNotice }: { env: NodeJS.ProcessEnv; onNotice: (notice: Notice) => void },
  { gateway, recorder, inForce, vault, secrets, control }: Followers,
  current: Configuration,
): () => void {
  let before = current
  const refuse = ({ message }: ConfigurationError): void =>
    onNotice({ level: 'warning', text: `${message}\nthe configuration in force stays` })
  return watchConfiguration(
    file,
    env,
    {
      onChange: (configuration) => {
        const played = playedRecording(recorder.status().file, configuration)
        if (played !== undefined) return refuse(new ConfigurationError(file, [played]))
        recorder.setRedaction(redactionNames(configuration, secrets))
        gateway.apply(inForce(configuration))
        onNotice({ level: 'info', text: `${file} changed and was applied` })
        if (listensElsewhere(before, configuration)) {
          onNotice({ level: 'warning', text: 'gateway.host and gateway.port take effect at the next start' })
        }
        before = configuration
      },
      onSecrets: (use) => {
        const told = JSON.stringify(secrets.waiting)
        secrets.update(use)
        if (JSON.stringify(secrets.waiting) === told) return
        tellWaiting(secrets, onNotice)
        control.refresh()
      },
      onProblem: refuse,
    },
    { current, secrets: vault, onSecretsChanged: (listener) => vault.onChange(listener) },
  )
}

/** A backend whose secret is missing is left out, not the whole configuration: the desk asks for it. */
export function tellWaiting({ waiting }: LiveSecrets, onNotice: (notice: Notice) => void): void {
  for (const { backend, secrets } of waiting)
    onNotice({
      level: 'warning',
      text: `the backend "${backend}" is left out until its secrets are set in the desk: ${secrets.join(', ')}`,
    })
}

/** Clients hold the address that they were given, so that a running gateway stays where it is. */
function listensElsewhere(one: Configuration, other: Configuration): boolean {
  return one.gateway.host !== other.gateway.host || one.gateway.port !== other.gateway.port
}
