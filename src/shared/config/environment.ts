/** What `substituteVariables` could not replace. */
export type VariableFault = { kind: 'missing'; name: string } | { kind: 'not-understood'; expression: string }

const EXPRESSION = /\$\{([^{}]*)\}?/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/**
 * Replaces `${NAME}` and `${NAME:-default}` (also in the spelling `${env:NAME}`). As in a shell, the default stands in
 * for a variable that is not set or empty; without a default an empty value is taken as it is.
 */
export function substituteVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { text: string; faults: VariableFault[] } {
  const faults: VariableFault[] = []
  const replaced = text.replace(EXPRESSION, (expression: string, inner: string) => {
    const variable = expression.endsWith('}') ? VARIABLE.exec(inner) : null
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
