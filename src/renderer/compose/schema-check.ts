import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { plural } from '../text/format'

/** Something in a value that its schema does not allow. */
export interface Problem {
  /** It is not there: no mistake until somebody wants to send. */
  missing?: true
  /** JSON Pointer (RFC 6901) into the value; empty for the whole. */
  pointer: string
  message: string
}

const MOST_PROBLEMS = 200
/** These only say that there is a problem further down. */
const CARRIERS: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'if',
  'oneOf',
  'anyOf',
])

/** What is wrong with a value. Throws when the schema itself cannot be used. */
export function checkValue(schema: JsonObject, value: JsonValue): Problem[] {
  const { errors } = new Validator(schema, draftOf(schema), false).validate(value)
  const problems = nearest(errors)
    .filter(({ keyword }) => !CARRIERS.has(keyword))
    .map((unit) => problemOf(unit, schema))
  if (problems.length === 0 && errors.length > 0)
    problems.push({ pointer: pointerOf(errors[0]?.instanceLocation ?? '#'), message: 'fits none of the variants' })
  const seen = new Set<string>()
  return problems
    .filter(({ pointer, message }) => {
      const key = `${pointer} ${message}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, MOST_PROBLEMS)
}

/** The dialect that a schema names; 2020-12 without one, as the protocol has it. */
function draftOf({ $schema }: JsonObject): SchemaDraft {
  const named = typeof $schema === 'string' ? /draft-0?(4|7)|(2019-09)/.exec($schema) : null
  if (named?.[2] !== undefined) return '2019-09'
  return named === null ? '2020-12' : named[1] === '4' ? '4' : '7'
}

/** Of variants that all fail only the one that the value comes nearest to is told of. */
function nearest(errors: readonly OutputUnit[]): OutputUnit[] {
  const weights = new Map<string, Map<string, number>>()
  for (const { keyword, keywordLocation, instanceLocation } of errors)
    for (const [group, variant] of variantsIn(keywordLocation, instanceLocation)) {
      const variants = weights.get(group) ?? new Map<string, number>()
      weights.set(group, variants)
      variants.set(variant, (variants.get(variant) ?? 0) + (keyword === 'const' || keyword === 'type' ? 10 : 1))
    }
  const best = new Map([...weights].map(([group, variants]) => [group, lightest(variants)]))
  return errors.filter(({ keywordLocation, instanceLocation }) =>
    variantsIn(keywordLocation, instanceLocation).every(([group, variant]) => best.get(group) === variant),
  )
}

function variantsIn(location: string, instance: string): [group: string, variant: string][] {
  const found: [string, string][] = []
  for (const match of location.matchAll(/\/(?:oneOf|anyOf)\/(\d+)/g))
    found.push([
      `${location.slice(0, match.index)} ${rootOf(instance, location.slice(0, match.index))}`,
      match[1] ?? '',
    ])
  return found
}

/** Items of a list choose their variants each for itself. */
function rootOf(instance: string, schemaPath: string): string {
  const lists = schemaPath.split('/items').length - 1
  return lists === 0
    ? ''
    : instance
        .split('/')
        .slice(0, 2 + lists)
        .join('/')
}

function lightest(variants: ReadonlyMap<string, number>): string {
  return [...variants].sort(([, one], [, other]) => one - other)[0]?.[0] ?? ''
}

function problemOf({ keyword, keywordLocation, instanceLocation, error }: OutputUnit, schema: JsonObject): Problem {
  const pointer = pointerOf(instanceLocation)
  const missing = keyword === 'required' ? /"(.+)"/.exec(error)?.[1] : undefined
  if (missing !== undefined) return { pointer: `${pointer}/${escaped(missing)}`, message: 'is required', missing: true }
  const wanted = keyword === 'pattern' ? valueAt(schema, keywordLocation) : undefined
  return {
    pointer,
    message: typeof wanted === 'string' ? `does not match the pattern ${wanted}` : worded(keyword, error),
  }
}

/** What stands there in the schema, if the way leads over no reference. */
function valueAt(schema: JsonObject, location: string): JsonValue | undefined {
  let at: JsonValue | undefined = schema
  for (const segment of pointerOf(location).split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined
  }
  return at
}

function worded(keyword: string, error: string): string {
  if (keyword === 'false') return 'is not allowed here'
  const [, got, wanted] = (keyword === 'type' && /"(.+)" is invalid\. Expected "(.+)"/.exec(error)) || []
  if (got !== undefined && wanted !== undefined) return `should be ${wanted}, not ${got}`
  const [, is, bound] = (/^m(?:in|ax)Length$/.test(keyword) && /\((\d+) [<>] (\d+)\)/.exec(error)) || []
  if (is !== undefined && bound !== undefined)
    return `has ${plural(Number(is), 'character')}, ${keyword === 'minLength' ? 'at least' : 'at most'} ${bound} are wanted`
  const said = error.replace(/^Instance (?:type )?/, '').replace(/\.$/, '')
  return said.charAt(0).toLowerCase() + said.slice(1)
}

function pointerOf(location: string): string {
  const pointer = location.replace(/^#/, '')
  try {
    return decodeURIComponent(pointer)
  } catch {
    // A name with a percent sign in it.
    return pointer
  }
}

export function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
