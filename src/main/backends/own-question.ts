import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'
import type { UpstreamPart } from './backend'
import type { OwnAnswer } from './era'
import { parsed } from './messages'

/** The head that came with an answer, for what its fields say. */
export interface AnswerWithHead extends OwnAnswer {
  headers: HeaderList
}

/** A stream goes on a little after its answer; servers do not like to be cut off there. */
const REST_MS = 1_000

/** The response to a question of the connector's own, out of the parts of its exchange; the rest of them is not waited for. */
export async function readAnswer(parts: AsyncIterableIterator<UpstreamPart>, id: RequestId): Promise<AnswerWithHead> {
  const answer: AnswerWithHead = { status: 0, headers: [] }
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const part = next.value
    if (part.kind === 'head') {
      answer.status = part.status
      answer.headers = part.headers
      const challenge = fieldOf(part.headers, 'www-authenticate')
      if (challenge !== undefined) answer.challenge = challenge
    } else if (part.kind === 'frame' && part.data !== undefined) {
      const message = responseIn(part.data, id)
      if (message !== undefined) {
        void drain(parts)
        return { ...answer, message }
      }
    } else if (part.kind === 'ended') {
      if (part.reason !== 'complete') answer.failure = part.detail ?? part.reason
      if (part.wrongEra === true) answer.wrongEra = true
    }
  }
  return answer
}

async function drain(parts: AsyncIterableIterator<UpstreamPart>): Promise<void> {
  const late = setTimeout(() => void parts.return?.(), REST_MS)
  while ((await parts.next()).done !== true);
  clearTimeout(late)
}

/** The value of the first field of that name (lower case). */
export function fieldOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([field]) => field.toLowerCase() === name)?.[1]
}

/** A response to `id`; an error without an id counts, servers send it when they could not read the request. */
function responseIn(text: string, id: RequestId): JsonObject | undefined {
  const message = parsed(text)
  if (message === undefined || message.method !== undefined) return undefined
  const own = message.id === id || (isObject(message.error) && (message.id === undefined || message.id === null))
  return own ? message : undefined
}
