import type { JsonValue } from '../protocol/json-rpc'
import { isSecretName } from './secret-names'
import { isNumberOrPlace } from './secret-shape'

/** Programs that run others: what stands behind their own short options is a package, a port, an image. */
const RUNNER = /(?:^|[\\/])(?:npx|npm|pnpm|bunx?|yarn|docker|podman|uvx?|pipx)(?:\.(?:cmd|exe))?$/i
/** `-p` password, `-k` key, `-t` token. */
const SHORT = /^-[pkKt]$/
const PORTS = /^\d{1,5}(?::\d{1,5})*$/
/** What `-t` and `-k` have in programs that mean a transport or a switch. */
const KNOWN_WORD =
  /^(?:stdio|https?|sse|streamable-?http|ws|websocket|tcp|udp|unix|ipc|text|json|auto|none|all|true|false|yes|no|on|off|trace|debug|info|warn(?:ing)?|error)$/i
/** `-u me:hunter2`, as of curl. */
const USER = /^(?:-u|--user)$/
/** There it is a user and a group. */
const CONTAINERS = /(?:^|[\\/])(?:docker|podman)(?:\.exe)?$/i
const IDS = /^\d+:\d+$/
/** Secrets begin with a hyphen now and then. */
const OPTION = /^--?[A-Za-z][\w.-]*(?:=|$)/
const FIELD_OPTION = /^(?:-H|--headers?)$/
const ASSIGNED = /^(-{0,2}[A-Za-z0-9_.-]+=)(.*)$/s
const FIELD = /^([A-Za-z0-9_.-]+:(?!\/\/)[ \t]*)(.*)$/s
/** `-phunter2`: the value of a short option without a space, which has something that no option's name has. */
const GLUED = /^-[pkKt](?=.{4})(?=[^=]*[^A-Za-z=-])(.+)$/s

/** The scheme of an authorization says how one authenticates, and nothing secret. */
export const SCHEME = /^(?:Basic|Bearer|Digest|DPoP|Negotiate|Token|ApiKey) +/i

/**
 * Where the secret of each argument of a command line begins: the values of `--token`, `--token=…`, `TOKEN=…`, of `-p`, `-k`
 * and `-t`, of `-u name:…`, and of header fields, behind `-H` whatever their names. 0: all of it is one; null: none by what
 * it is called.
 */
export function argumentSecrets(command: JsonValue | undefined, args: readonly JsonValue[]): (number | null)[] {
  const ofContainers = typeof command === 'string' && CONTAINERS.test(command)
  const runs = typeof command === 'string' && RUNNER.test(command)
  let option = ''
  let words = 0
  return args.map((argument) => {
    const before = option
    option = ''
    const text = typeof argument === 'string' ? argument : null
    const isOption = text?.startsWith('-') === true && (!isSecretName(before) || OPTION.test(text))
    const assigned = text === null ? null : ASSIGNED.exec(text)
    if (isOption && assigned === null) option = text ?? ''
    else if (!isOption && !SHORT.test(before)) words++
    const behind = before !== '' && !isOption
    const ofRunner = runs && words === 0
    if (behind && SHORT.test(before)) return isShortSecret(before, String(argument), ofRunner) ? 0 : null
    if (behind && isSecretName(before)) return 0
    if (text === null) return null
    if (isOption && assigned === null) {
      const value = GLUED.exec(text)?.[1]
      return value !== undefined && isShortSecret(text.slice(0, 2), value, ofRunner) ? 2 : null
    }
    const [, name = '', value = ''] = assigned ?? FIELD.exec(text) ?? []
    if (SHORT.test(name.slice(0, -1))) return isShortSecret(name.slice(0, -1), value, ofRunner) ? name.length : null
    const user = assigned === null ? (behind ? before : '') : name.slice(0, -1)
    if (USER.test(user) && !ofContainers) return userSecret(assigned === null ? text : value, text)
    const ofField = behind && FIELD_OPTION.test(before) && name !== ''
    return ofField || isSecretName(name) ? name.length : null
  })
}

/** Behind the name of a user; of two numbers none, which are ids. `value` is the end of `text`. */
function userSecret(value: string, text: string): number | null {
  const at = value.indexOf(':')
  return at < 1 || IDS.test(value) ? null : text.length - value.length + at + 1
}

function isShortSecret(option: string, value: string, ofRunner: boolean): boolean {
  if (ofRunner || PORTS.test(value)) return false
  // A password may be a word or look like a path.
  return option === '-p' || !(isNumberOrPlace(value) || KNOWN_WORD.test(value))
}
