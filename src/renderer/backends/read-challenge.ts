/** One way of authentication that a `WWW-Authenticate` field asks for (RFC 9110 11.6.1). */
export interface Challenge {
  scheme: string
  /** Names in lower case, in the order in which they came. */
  parameters: [name: string, value: string][]
}

const MOST = 20
/** A scheme, or a parameter with a token or a quoted string as its value. */
const PART =
  /\s*(?:([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([A-Za-z0-9!#$%&'*+.^_`|~-]+))\s*,?/y

/** The challenges of a field as far as they can be read; what a server writes there may be anything. */
export function readChallenges(field: string): Challenge[] {
  const challenges: Challenge[] = []
  PART.lastIndex = 0
  for (let match = PART.exec(field); match !== null && match[0] !== ''; match = PART.exec(field)) {
    const [, name, quoted, token, scheme] = match
    if (scheme !== undefined) challenges.push({ scheme, parameters: [] })
    else if (name !== undefined)
      challenges.at(-1)?.parameters.push([name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token ?? ''])
    if (challenges.length > MOST || (challenges.at(-1)?.parameters.length ?? 0) > MOST) break
  }
  return challenges
}

/** What to write into the configuration so that this backend lets calls in, in words. */
export function signInAdvice(challenges: readonly Challenge[]): string {
  const schemes = challenges.map(({ scheme }) => scheme.toLowerCase())
  if (schemes.includes('bearer'))
    return 'Get a token for this server and send it with every request, or pass on the token that your client has.'
  if (schemes.includes('basic'))
    return 'Send the user name and password, joined by a colon and in Base64, with every request.'
  return 'Find out from its documentation which header field it wants, and send that with every request.'
}

/** The entry of a backend as it can stand in the configuration, without its secret. */
export function signInSnippet(name: string, url: string, challenges: readonly Challenge[]): string {
  const scheme = challenges.some((challenge) => challenge.scheme.toLowerCase() === 'basic') ? 'Basic' : 'Bearer'
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`
  return JSON.stringify({ [name]: { url, headers: { Authorization: `${scheme} \${${variable}}` } } }, null, 2)
}
