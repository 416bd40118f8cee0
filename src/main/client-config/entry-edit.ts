import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { configurationProblem } from '../../shared/config/problem'
import { isObject } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from '../config/configuration-error'
import { insertMember } from '../config/insert-member'
import { parseDocument } from '../config/parse-document'
import { removeMember } from '../config/remove-member'

/** Which entry of which file. */
export interface EntryPlace {
  file: string
  /** The member of the root that holds the servers. */
  key: string
  name: string
}

/** The text with the entry in it, everything else as it was. Throws `ConfigurationError` when the text cannot be edited. */
export function withEntry(text: string, place: EntryPlace, entry: Record<string, unknown>): string {
  const { key, name } = place
  if (text.trim() === '') return `${JSON.stringify({ [key]: { [name]: entry } }, null, 2)}\n`
  const { root, servers, member, value } = locate(text, place)
  if (servers === undefined) return insertMember(text, root, key, { [name]: entry })
  if (member === undefined) return insertMember(text, servers, name, entry)
  if (isDeepStrictEqual(value, entry)) return text
  const removed = removeMember(text, servers, member)
  const again = locate(removed, place).servers
  return again === undefined ? removed : insertMember(removed, again, name, entry)
}

/** The text without the entry, everything else as it was. Throws `ConfigurationError` when the text cannot be edited. */
export function withoutEntry(text: string, place: EntryPlace): string {
  if (text.trim() === '') return text
  const { servers, member } = locate(text, place)
  return servers === undefined || member === undefined ? text : removeMember(text, servers, member)
}

interface Located {
  root: Node
  servers?: Node
  member?: Node
  value?: unknown
}

function locate(text: string, { file, key, name }: EntryPlace): Located {
  const document = parseDocument(text)
  if (document.problems.length > 0) throw new ConfigurationError(file, document.problems)
  const { root, value } = document
  if (root === undefined || !isObject(value))
    throw new ConfigurationError(file, [configurationProblem([], 'is not an object', `write { "${key}": {} }`)])
  const servers = value[key]
  if (servers === undefined) return { root }
  if (!isObject(servers))
    throw new ConfigurationError(file, [
      document.locate(configurationProblem([key], 'is not an object', 'write {} there')),
    ])
  const node = findNodeAtLocation(root, [key])
  const member = findNodeAtLocation(root, [key, name])?.parent
  return {
    root,
    ...(node === undefined ? {} : { servers: node }),
    ...(member === undefined ? {} : { member, value: servers[name] }),
  }
}
