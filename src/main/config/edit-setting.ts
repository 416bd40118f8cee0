import { resolve } from 'node:path'
import { findNodeAtLocation, modify, type Node } from 'jsonc-parser'
import type { SettingValues } from '../../shared/api/contract'
import type { SecretSource } from '../../shared/config/secrets'
import { settingAt, SETTINGS } from '../../shared/config/settings'
import { configurationProblem } from '../../shared/config/problem'
import { isObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from './configuration-error'
import { editFile } from './edit-file'
import { insertMember } from './insert-member'
import { parseConfiguration, readConfigurationText } from './load-configuration'
import { parseDocument } from './parse-document'

/** All settings as the file has them. Rejects with `ConfigurationError` when it is no valid configuration. */
export async function readSettings(
  file: string,
  env: NodeJS.ProcessEnv,
  secrets?: SecretSource,
): Promise<SettingValues> {
  const path = resolve(file)
  const text = await readConfigurationText(path)
  const { configuration } = parseConfiguration(text, path, env, secrets)
  const { value } = parseDocument(text)
  return {
    file: path,
    values: SETTINGS.map((setting) => ({
      path: [...setting.path],
      value: memberAt(configuration, setting.path) ?? setting.fallback,
      own: memberAt(value, setting.path) !== undefined,
    })),
  }
}

function memberAt(value: unknown, path: readonly string[]): JsonValue | undefined {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  ) as JsonValue | undefined
}

/**
 * Sets one setting of the gateway in the file, or with undefined takes it out, so that the default counts. Everything
 * else in the file stays as it is. Rejects with `ConfigurationError` when there is no such setting, or when the file with
 * it would not be a valid configuration; then it is left alone.
 */
export async function setSettingInFile(
  file: string,
  at: readonly string[],
  value: JsonValue | undefined,
  env: NodeJS.ProcessEnv,
  secrets?: SecretSource,
): Promise<void> {
  if (settingAt(at) === undefined)
    throw new ConfigurationError(file, [
      configurationProblem(
        [...at],
        'is no setting of the gateway',
        'see docs/configuration.md for those that there are',
      ),
    ])
  await editFile(file, (text, path) => {
    const edited = value === undefined ? without(text, at) : withValue(text, path, at, value)
    if (edited !== text) parseConfiguration(edited, path, env, secrets)
    return edited
  })
}

function withValue(text: string, path: string, at: readonly string[], value: JsonValue): string {
  const { root, problems } = parseDocument(text)
  if (problems.length > 0 || root === undefined) throw new ConfigurationError(path, problems)
  const node = findNodeAtLocation(root, [...at])
  if (node !== undefined)
    return text.slice(0, node.offset) + JSON.stringify(value) + text.slice(node.offset + node.length)
  const { parent, missing } = nearestParent(root, at)
  const [first = '', ...rest] = missing
  return insertMember(
    text,
    parent,
    first,
    rest.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value),
  )
}

/** The innermost object on the way that exists, and the keys that are missing below it. */
function nearestParent(root: Node, at: readonly string[]): { parent: Node; missing: readonly string[] } {
  for (let depth = at.length - 1; depth > 0; depth--) {
    const node = findNodeAtLocation(root, at.slice(0, depth))
    if (node?.type === 'object') return { parent: node, missing: at.slice(depth) }
  }
  return { parent: root, missing: at }
}

function without(text: string, at: readonly string[]): string {
  return modify(text, [...at], undefined, {}).reduceRight(
    (edited, { offset, length, content }) => edited.slice(0, offset) + content + edited.slice(offset + length),
    text,
  )
}
