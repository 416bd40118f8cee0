import { objectMembers, type Span } from '../protocol/json-text'

/** Members that hold schemas by names that others gave: of arguments, of fields of a form, of shared parts. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    '$ref $schema $id $comment $anchor $defs definitions type title description default examples example enum enumNames const ' +
    'format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf items prefixItems ' +
    'additionalItems minItems maxItems uniqueItems contains minContains maxContains properties required ' +
    'additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas ' +
    'unevaluatedProperties unevaluatedItems anyOf oneOf allOf not if then else nullable readOnly writeOnly deprecated ' +
    'contentEncoding contentMediaType contentSchema x-mcp-header'
  ).split(' '),
)
/** One of these makes an object a schema. */
const TELLING: readonly string[] = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const']
const SAMPLES: ReadonlySet<string> = new Set(['default', 'examples', 'example', 'enum', 'enumNames', 'const'])
const TYPES = /^"(?:string|number|integer|boolean|object|array|null)"$/
const MAX_SCHEMA = 65_536
const MAX_DEPTH = 10_000

/** The schema of one argument, as text, and where values stand in it. */
export interface PropertySchema {
  text: string
  samples: Span[]
}

/**
 * Follows the nesting of JSON that is read by tokens, to know whether a key names an argument: then its value is a schema,
 * which says what a secret is like and not what it is.
 */
export class SchemaNesting {
  /** The key that was read last. */
  key: string | undefined
  private readonly objects: boolean[] = []
  private deeper = 0

  get inProperties(): boolean {
    return this.deeper === 0 && this.objects.at(-1) === true
  }

  open(object: boolean): void {
    if (this.objects.length >= MAX_DEPTH) this.deeper++
    else this.objects.push(object && this.key !== undefined && NAMED_SCHEMAS.has(this.key))
    this.key = undefined
  }

  close(): void {
    if (this.deeper > 0) this.deeper--
    else this.objects.pop()
    this.key = undefined
  }
}

/** What stands there when it is a schema and nothing else; a secret that came as an object is none. */
export function schemaOf(text: string, start: number, end: number): PropertySchema | undefined {
  if (text[start] !== '{' || end - start > MAX_SCHEMA) return undefined
  const schema = text.slice(start, end)
  const members = isJson(schema) ? objectMembers(schema) : undefined
  if (members === undefined || !members.every(({ key }) => KEYWORDS.has(key))) return undefined
  const telling = members.some(({ key, start: from, end: to }) => {
    const value = schema.slice(from, to)
    return TELLING.includes(key) && (key !== 'type' || value.startsWith('[') || TYPES.test(value))
  })
  if (!telling && members.length > 0) return undefined
  return { text: schema, samples: members.filter(({ key }) => SAMPLES.has(key)) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Torn or broken: then it is not known to be a schema.
    return false
  }
}
