/** A kind of text that looks like a secret. */
interface SecretPattern {
  /** In words, as in "3 × private key". */
  name: string
  pattern: RegExp
  /** What a text has that `pattern` finds anything in; far cheaper to look for. */
  needs?: (text: string) => boolean
}

const NAMES = /passw|secret|api[_-]?key|access[_-]?token|private[_-]?key/i
const names = (text: string): boolean => NAMES.test(text)
const hasUser = (text: string): boolean => text.includes('@') && text.includes('://')

/**
 * What well-known services make their secrets look like, and what people call them. Each pattern is linear in the text.
 * Marks of redaction match none of them.
 */
const PATTERNS: readonly SecretPattern[] = [
  { name: 'private key', pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/g },
  { name: 'JSON Web Token', pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { name: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: 'GitHub token', pattern: /\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/g },
  { name: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: 'Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: 'Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'API key', pattern: /\b(?:sk|rk|pk)[-_](?:live[-_]|test[-_]|proj-|ant-)?[A-Za-z0-9_-]{20,}/g },
  { name: 'bearer token', pattern: /\bBearer +[A-Za-z0-9._~+/-]{16,}/gi },
  {
    name: 'user and password in a URL',
    needs: hasUser,
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\«]{1,100}:[^\s/@"'\\«]{1,100}@/gi,
  },
  {
    name: 'member with the name of a secret',
    needs: names,
    pattern:
      /"[a-z0-9_-]{0,40}(?:password|passwd|secret|api_?key|access_?token|private_?key)\\{0,7}"\s{0,4}:\s{0,4}\\{0,7}"(?!«redacted )[^"\\]{4,}/gi,
  },
  {
    name: 'password or key in a text',
    needs: names,
    pattern:
      /(?<![a-z0-9])(?:password|passwd|api[_-]?key|access[_-]?token|client[_-]?secret|private[_-]?key)['\\\]]{0,4}\s?[=:]\s?['\\]{0,4}(?!«redacted )[^\s"'«\\&]{6,}/gi,
  },
]

/** Something that looks like a secret, and where it was seen first. Never the secret itself. */
export interface SecretHint {
  name: string
  count: number
  /** The call and the event that it was first seen in; null outside of calls. */
  call: number | null
  seq: number | null
}

/** Collects hints over many texts. */
export class SecretScan {
  private readonly found = new Map<string, SecretHint>()

  /** Looks at one text, of event `seq`. */
  look(text: string, call: number | null, seq: number | null): void {
    for (const { name, pattern, needs } of PATTERNS) {
      if (needs?.(text) === false) continue
      const count = text.match(pattern)?.length ?? 0
      if (count === 0) continue
      const hint = this.found.get(name)
      if (hint === undefined) this.found.set(name, { name, count, call, seq })
      else hint.count += count
    }
  }

  get hints(): SecretHint[] {
    return [...this.found.values()]
  }
}

/** A hint in words. */
export function describeHint({ name, count, call, seq }: SecretHint): string {
  const where = call === null ? '' : `, first in call ${call}${seq === null ? '' : `, event ${seq}`}`
  return `${count.toLocaleString('en')} × ${name}${where}`
}
