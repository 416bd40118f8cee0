const SECRET_FIELDS = /^(?:authorization|proxy-authorization|cookie)$|token|secret|api-?key|password|session/i

/** Header fields whose values are not kept anywhere: known ones, and those whose names say so. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELDS.test(name)
}
