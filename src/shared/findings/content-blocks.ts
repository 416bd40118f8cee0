import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { shown } from './facts'
import type { Report } from './report'
import { isRedacted, mayBeBase64, mayBeObject, mayBeText } from './shapes'

/** Blocks of a list of content (schema, "ContentBlock"); `at` is where it stands. */
export function checkBlocks(blocks: readonly JsonValue[], at: string, report: Report): void {
  for (let index = 0; index < blocks.length && !report.full; index++) {
    checkBlock(blocks[index], `${at}[${index}]`, report)
  }
}

/** One block of content of a tool or a prompt. */
export function checkBlock(block: JsonValue | undefined, at: string, report: Report): void {
  if (isRedacted(block)) return
  if (!isObject(block)) {
    report.add('content-block-invalid', `${at} is ${shown(block)}; it must be an object with a type.`)
    return
  }
  const { type } = block
  const members = typeof type === 'string' && Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined
  if (members === undefined) {
    if (!isRedacted(type)) report.add('content-block-unknown', `${at} has the type ${shown(type)}, which is none.`)
    return
  }
  for (const member of members) {
    if (!mayBeText(block[member])) {
      report.add(
        'content-block-invalid',
        `${at} is of type ${type as string}, but its ${member} is ${shown(block[member])}.`,
      )
    }
  }
  if (type === 'image' || type === 'audio') checkBase64(block.data, `${at}.data`, report)
  if (type === 'resource') checkEmbedded(block.resource, `${at}.resource`, report)
}

/** The members of each type that are strings and must be there. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
}

function checkEmbedded(resource: JsonValue | undefined, at: string, report: Report): void {
  if (isObject(resource)) checkContents(resource, at, 'content-block-invalid', report)
  else if (!mayBeObject(resource))
    report.add('content-block-invalid', `${at} is ${shown(resource)}; it must be an object.`)
}

/** Contents of a resource: a URI, and text or base64 (schema, "TextResourceContents", "BlobResourceContents"). */
export function checkContents(
  contents: JsonObject,
  at: string,
  rule: 'content-block-invalid' | 'resource-contents-invalid',
  report: Report,
): void {
  const { uri, text, blob } = contents
  if (!mayBeText(uri)) report.add(rule, `${at}.uri is ${shown(uri)}; it must be a string.`)
  if (!mayBeText(text) && !mayBeText(blob)) report.add(rule, `${at} has neither text nor blob as a string.`)
  checkBase64(blob, `${at}.blob`, report)
}

function checkBase64(data: JsonValue | undefined, at: string, report: Report): void {
  if (typeof data !== 'string' || mayBeBase64(data)) return
  const how = data.startsWith('data:') ? 'is a data: URL' : 'is no base64'
  report.add('data-not-base64', `${at} ${how}; it must be plain base64.`)
}
