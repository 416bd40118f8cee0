import { z } from 'zod'
import type { JsonValue } from '../protocol/json-rpc'
import { GatewayConfig } from './schema'

/** One setting of the gateway, as a form shows it. `path` is that of the member in the configuration file. */
export interface Setting {
  path: readonly string[]
  /** What it does, in a sentence. */
  description: string
  kind: 'choice' | 'number' | 'switch' | 'texts'
  fallback: JsonValue
  /** Of a choice. */
  choices?: readonly string[]
  /** Of a number. */
  least?: number
  most?: number
  /** The gateway listens already: it counts from the next start on. */
  restart: boolean
}

interface SchemaNode {
  type?: string
  items?: SchemaNode
  description?: string
  default?: JsonValue
  enum?: string[]
  minimum?: number
  maximum?: number
  properties?: Record<string, SchemaNode>
}

/** Where it listens is decided at the start. */
const AT_START: ReadonlySet<string> = new Set(['host', 'port'])

/** Every setting of the gateway, as the schema of the configuration has them. */
export const SETTINGS: readonly Setting[] = settingsOf(z.toJSONSchema(GatewayConfig, { io: 'input' }) as SchemaNode, [
  'gateway',
])

function settingsOf(node: SchemaNode, at: readonly string[]): Setting[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, member]): Setting[] => {
    const path = [...at, key]
    if (member.type === 'object') return settingsOf(member, path)
    const common = {
      path,
      description: member.description ?? '',
      fallback: member.default ?? null,
      restart: AT_START.has(key) && at.length === 1,
    }
    if (member.enum !== undefined) return [{ ...common, kind: 'choice', choices: member.enum }]
    if (member.type === 'integer')
      return [
        { ...common, kind: 'number', least: member.minimum ?? 0, most: member.maximum ?? Number.MAX_SAFE_INTEGER },
      ]
    if (member.type === 'boolean') return [{ ...common, kind: 'switch' }]
    if (member.type === 'array' && member.items?.type === 'string') return [{ ...common, kind: 'texts' }]
    throw new Error(`no form for the setting ${path.join('.')}`)
  })
}

export function settingAt(path: readonly string[]): Setting | undefined {
  return SETTINGS.find((setting) => setting.path.join('\n') === path.join('\n'))
}
