const WITHIN = /token|secret|passw|passphrase|(?:api|access)-?_?key|credential|auth|cookie|private|bearer/i
const WHOLE = /^-{0,2}(?:key|pass|pwd|pat)$/i

/** Whether the value of an option of a command line, of a variable or of a member with that name is a secret, for all that its name says. */
export function isSecretOption(name: string): boolean {
  return WITHIN.test(name) || WHOLE.test(name)
}
