/** What `substituteVariables` could not replace. */
export type VariableFault =
  | { kind: 'missing'; name: string }
  | { kind: 'not-understood'; expression: string }
  | { kind: 'missing-secret'; name: string }
  | { kind: 'misplaced-secret'; name: string }

/** The value of a secret by its name; undefined when there is none that can be read. */
export type SecretLookup = (name: string) => string | undefined

/** What a secret may be called, in `${secret:NAME}`. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

const EXPRESSION = /\$\{([^{}]*)\}?/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s
const SECRET = /^secret:(.*)$/s

/**
 * Replaces `${NAME}` and `${NAME:-default}` (also in the spelling `${env:NAME}`). As in a shell, the default stands in
 * for a variable that is not set or empty; without a default an empty value is taken as it is. `${secret:NAME}` is
 * replaced by a secret; without `secrets` it is out of place.
 */
export function substituteVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  secrets?: SecretLookup,
): { text: string; faults: VariableFault[] } {
  const faults: VariableFault[] = []
  const secretOf = (expression: string, name: string): string => {
    const value = secrets?.(name)
    if (secrets === undefined) faults.push({ kind: 'misplaced-secret', name })
    else if (value === undefined) faults.push({ kind: 'missing-secret', name })
    return value ?? expression
  }
  const replaced = text.replace(EXPRESSION, (expression: string, inner: string) => {
    const whole = expression.endsWith('}')
    const secret = whole ? SECRET.exec(inner)?.[1] : undefined
    if (secret !== undefined && SECRET_NAME.test(secret)) return secretOf(expression, secret)
    const variable = whole ? VARIABLE.exec(inner) : null
    const name = variable?.[1]
    if (name === undefined) {
      faults.push({ kind: 'not-understood', expression })
      return expression
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    const fallback = variable?.[2]
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value
    if (value === undefined) faults.push({ kind: 'missing', name })
    return value ?? expression
  })
  return { text: replaced, faults }
}
