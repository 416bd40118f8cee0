import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'
import { substituteVariables, type VariableFault } from './environment'
import { importDocument } from './importers'
import { configurationProblem, type ConfigurationProblem } from './problem'
import { BackendConfig, Configuration } from './schema'
import { NO_SECRETS, SecretUseCollector, type SecretSource, type SecretUse } from './secrets'
import { whatToWrite } from './what-to-write'

export type CheckedConfiguration =
  { ok: true; configuration: Configuration; secrets: SecretUse } | { ok: false; problems: ConfigurationProblem[] }

/** Turns a parsed document, ours or another tool's, into a configuration, or says everything that is wrong with it. */
export function checkConfiguration(
  root: JsonValue,
  environment: Readonly<Record<string, string | undefined>>,
  secrets: SecretSource = NO_SECRETS,
): CheckedConfiguration {
  if (!isObject(root))
    return {
      ok: false,
      problems: [configurationProblem([], `is ${kindOf(root)}, not an object`, 'write { "mcpServers": { … } }')],
    }
  const imported = importDocument(root)
  const problems = [...imported.problems, ...lostNames(root)]
  const used = new SecretUseCollector(secrets)
  const document = substituted(imported.document, imported.serversKey, { environment, secrets, used }, problems)
  const parsed = Configuration.safeParse(document)
  if (!parsed.success)
    for (const issue of parsed.error.issues)
      for (const found of problemsOf(issue, document)) {
        const problem = found.at[0] === 'mcpServers' ? moved(found, imported.serversKey) : found
        // A value with an unset variable has been reported already; its check says nothing new.
        if (!problems.some((known) => known.path === problem.path)) problems.push(problem)
      }
  if (problems.length > 0 || !parsed.success) return { ok: false, problems }
  const { use } = used
  const configuration = withoutBackends(parsed.data, use)
  const { off } = imported
  return { ok: true, configuration: off.length === 0 ? configuration : { ...configuration, off }, secrets: use }
}

/** Left out are backends that wait for a secret. */
function withoutBackends(configuration: Configuration, { waiting }: SecretUse): Configuration {
  if (waiting.length === 0) return configuration
  const out = new Set(waiting.map(({ backend }) => backend))
  const kept = Object.entries(configuration.mcpServers).filter(([name]) => !out.has(name))
  return { ...configuration, mcpServers: Object.fromEntries(kept) }
}

/** JavaScript's objects have this name for something else, so that the check passes over it; nothing is to be lost unsaid. */
const LOST_NAME = '__proto__'

function lostNames(root: JsonObject): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  const open: { at: (string | number)[]; value: JsonValue | undefined }[] = [{ at: [], value: root }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, value } = next
    if (Array.isArray(value)) value.forEach((one, index) => open.push({ at: [...at, index], value: one }))
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) {
        if (key === LOST_NAME)
          problems.push(configurationProblem([...at, key], 'is a name that cannot be used', 'rename or remove it'))
        open.push({ at: [...at, key], value: one })
      }
  }
  return problems
}

interface Variables {
  environment: Readonly<Record<string, string | undefined>>
  secrets: SecretSource
  used: SecretUseCollector
}

const WITH_SECRETS = ['headers', 'args', 'env']
const WITH_VARIABLES = ['url', 'command', 'cwd', 'file', ...WITH_SECRETS]

/** Variables are replaced before the check, so that a URL is checked as it will be used. */
function substituted(
  document: JsonObject,
  serversKey: string,
  { environment, secrets, used }: Variables,
  problems: ConfigurationProblem[],
): JsonObject {
  const servers = document.mcpServers
  if (!isObject(servers)) return document
  const replaceFor = (backend: string, key: string) => {
    const lookup = WITH_SECRETS.includes(key) ? (name: string) => used.lookup(backend, name) : undefined
    return (text: string, at: (string | number)[]): string => {
      const { text: replaced, faults } = substituteVariables(text, environment, lookup)
      for (const fault of faults) {
        const problem = problemOfVariable(fault, at, secrets)
        if (problem !== undefined) problems.push(problem)
      }
      return replaced
    }
  }
  const entries = Object.entries(servers).map(([name, entry]): [string, JsonValue | undefined] => {
    if (!isObject(entry)) return [name, entry]
    const copy: JsonObject = { ...entry }
    for (const key of WITH_VARIABLES)
      if (entry[key] !== undefined)
        copy[key] = withReplacements(entry[key], [serversKey, name, key], replaceFor(name, key))
    return [name, copy]
  })
  return { ...document, mcpServers: Object.fromEntries(entries) }
}

/** Undefined for what is no problem of the file. */
function problemOfVariable(
  fault: VariableFault,
  at: (string | number)[],
  secrets: SecretSource,
): ConfigurationProblem | undefined {
  switch (fault.kind) {
    case 'missing':
      return {
        ...configurationProblem(
          at,
          `needs the environment variable ${fault.name}, which is not set`,
          `set ${fault.name}, or write a default: \${${fault.name}:-value}`,
        ),
        ofEnvironment: true,
      }
    case 'missing-secret': {
      if (secrets.settable) return undefined
      const { message, fix } = secrets.whyMissing(fault.name)
      return { ...configurationProblem(at, message, fix), ofEnvironment: true }
    }
    case 'misplaced-secret':
      return configurationProblem(
        at,
        `has the secret ${fault.name}, which would be shown here`,
        'secrets have their place in "headers", "env" and "args"',
      )
    case 'not-understood':
      return configurationProblem(
        at,
        `has ${JSON.stringify(fault.expression.slice(0, 60))}, which is not understood`,
        'write ${NAME} or ${NAME:-default}, with the name of an environment variable, or ${secret:NAME}',
      )
  }
}

/** The texts in a member, which may be one, a list or an object of texts. */
function withReplacements(
  value: JsonValue | undefined,
  at: (string | number)[],
  replace: (text: string, at: (string | number)[]) => string,
): JsonValue | undefined {
  if (typeof value === 'string') return replace(value, at)
  if (Array.isArray(value)) return value.map((one, index) => withReplacements(one, [...at, index], replace) ?? null)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withReplacements(one, [...at, key], replace)]),
  )
}

function moved(problem: ConfigurationProblem, serversKey: string): ConfigurationProblem {
  return configurationProblem([serversKey, ...problem.at.slice(1)], problem.message, problem.fix)
}

function problemsOf(issue: z.core.$ZodIssue, document: JsonObject): ConfigurationProblem[] {
  const at = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
  const value = valueAt(document, at)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        configurationProblem([...at, key], 'is not a known key', fixForUnknownKey(key, knownKeysAt(at, document))),
      )
    case 'invalid_type': {
      const fix = whatToWrite(at, issue.expected, value)
      return [
        value === undefined
          ? configurationProblem(at, 'is missing', fix)
          : configurationProblem(at, `is ${kindOf(value)}, not ${article(issue.expected)}`, fix),
      ]
    }
    case 'invalid_value': {
      const allowed = issue.values.map((one) => JSON.stringify(one)).join(', ')
      return [
        configurationProblem(at, `is ${short(value)}, which is none of the known values`, `use one of ${allowed}`),
      ]
    }
    case 'too_small':
      return [
        value === ''
          ? configurationProblem(at, 'is empty', 'give it a value or remove it')
          : configurationProblem(at, `is ${short(value)}: too small`, `use at least ${issue.minimum}`),
      ]
    case 'too_big':
      return [configurationProblem(at, `is ${short(value)}: too large`, `use at most ${issue.maximum}`)]
    case 'invalid_key': {
      const reason = issue.issues[0]?.message ?? 'is not allowed here'
      return [
        configurationProblem(
          at,
          reason,
          at[0] === 'mcpServers' && at.length === 2 ? 'rename the backend' : 'rename or remove it',
        ),
      ]
    }
    case 'invalid_format':
      return issue.format === 'url'
        ? [
            configurationProblem(
              at,
              'is not an http or https URL',
              'write a whole URL, such as "http://127.0.0.1:3000/mcp"',
            ),
          ]
        : [configurationProblem(at, issue.message, 'correct or remove it')]
    case 'invalid_union': {
      const variants = BackendConfig.options
      const kinds = variants.flatMap((variant) => [...transportsOf(variant)])
      if (isObject(value) && typeof value.type === 'string' && !kinds.includes(value.type))
        return problemsOf({ ...issue, code: 'invalid_value', values: kinds, path: [...issue.path, 'type'] }, document)
      const inner = issue.errors[variants.indexOf(variantOf(value))] ?? []
      return inner.flatMap((one) => problemsOf({ ...one, path: [...issue.path, ...one.path] }, document))
    }
    default:
      return [configurationProblem(at, issue.message, 'correct or remove it')]
  }
}

type BackendVariant = (typeof BackendConfig.options)[number]

function transportsOf(variant: BackendVariant): ReadonlySet<string> {
  const type = unwrapped(variant.shape.type)
  return new Set(type instanceof z.ZodEnum ? type.options.map(String) : [...(type as z.ZodLiteral<string>).values])
}

/** The kind of backend that an entry means to be. */
function variantOf(entry: JsonValue | undefined): BackendVariant {
  const type = isObject(entry) ? entry.type : undefined
  const meant = typeof type === 'string' && BackendConfig.options.find((variant) => transportsOf(variant).has(type))
  return meant || BackendConfig.options[0]
}

/** Keys of other tools that mean one of ours. */
const SYNONYMS: Readonly<Record<string, string>> = {
  serverurl: 'url',
  httpurl: 'url',
  endpoint: 'url',
  uri: 'url',
  transport: 'type',
  includetools: 'include',
  excludetools: 'exclude',
  requestheaders: 'headers',
  cmd: 'command',
  executable: 'command',
  arguments: 'args',
  environment: 'env',
  workingdirectory: 'cwd',
  workdir: 'cwd',
}

function fixForUnknownKey(key: string, known: readonly string[]): string {
  const lower = key.toLowerCase()
  const synonym = Object.hasOwn(SYNONYMS, lower) ? SYNONYMS[lower] : undefined
  if (synonym !== undefined && known.includes(synonym)) return `use "${synonym}"`
  const nearest = known
    .map((candidate) => ({ candidate, steps: distance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)[0]
  if (nearest !== undefined && nearest.steps <= Math.max(2, Math.floor(key.length / 3)))
    return `did you mean "${nearest.candidate}"?`
  return `remove it; known keys here are ${known.join(', ')}`
}

function schemaAt(at: readonly (string | number)[], document: JsonObject): z.ZodType | undefined {
  let schema: z.ZodType | undefined = Configuration
  for (const [depth, key] of at.entries()) {
    let inner: z.ZodType | undefined = schema === undefined ? undefined : unwrapped(schema)
    if (inner instanceof z.ZodUnion) inner = variantOf(valueAt(document, at.slice(0, depth)))
    if (inner instanceof z.ZodObject)
      schema = Object.hasOwn(inner.shape, key) ? (inner.shape[key] as z.ZodType) : undefined
    else if (inner instanceof z.ZodRecord) schema = inner.valueType as z.ZodType
    else if (inner instanceof z.ZodArray) schema = inner.element as z.ZodType
    else return undefined
  }
  return schema instanceof z.ZodUnion ? variantOf(valueAt(document, at)) : schema
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional)
    inner = inner.unwrap() as z.ZodType
  return inner
}

function knownKeysAt(at: readonly (string | number)[], document: JsonObject): string[] {
  const schema = schemaAt(at, document)
  const inner = schema === undefined ? undefined : unwrapped(schema)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape).filter((key) => key !== '$schema') : []
}

function valueAt(document: JsonObject, at: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const key of at) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined
    else return undefined
  }
  return value
}

function short(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return article(typeof value)
}

function article(kind: string): string {
  if (kind === 'int') return 'a whole number'
  if (kind === 'record') return 'an object'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
