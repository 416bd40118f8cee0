import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as bodyOf } from 'node:stream/consumers'
import { FLOOD_FRAMES, MINUTE, PROGRESS_FRAMES, TOOLS } from './scenarios'

/**
 * The measured backend: the least that a modern server can do. Answers are texts made in advance; only the id is put in.
 * Prints its port on the first line of stdout.
 */
interface Call {
  id: string | number
  method: string
  params: { name?: string; requestState?: string; _meta?: { progressToken?: string | number } }
}

const HINTS = '"ttlMs":60000,"cacheScope":"public"'
const small = '"result":{"resultType":"complete","content":[{"type":"text","text":"a small answer"}]}'
const large = `"result":{"resultType":"complete","content":[{"type":"text","text":"${'one hundred kilobytes of text. '.repeat(3303)}"}]}`
const huge = `"result":{"resultType":"complete","content":[{"type":"text","text":"rows"}],"structuredContent":{"rows":[${Array.from({ length: 46_000 }, (_, row) => `{"row":${row},"name":"a name of row ${row}","values":[1,2,3],"note":"one line of a large table, as databases give them"}`).join(',')}]}}`
const question =
  '"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}'
const discover = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},${HINTS}}`
const tools = JSON.stringify(Object.values(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } })))

function answer(call: Call, response: ServerResponse): void {
  switch (call.params.name) {
    case TOOLS.large:
      return json(response, call.id, large)
    case TOOLS.huge:
      return json(response, call.id, huge)
    case TOOLS.progress:
      return void progress(call, response, PROGRESS_FRAMES, 2)
    case TOOLS.flood:
      return void progress(call, response, FLOOD_FRAMES, 0)
    case TOOLS.minute:
      return void progress(call, response, MINUTE.frames, MINUTE.apartMs)
    case TOOLS.rounds: {
      const round = Number(call.params.requestState ?? '0')
      if (round === 2) return json(response, call.id, small)
      return json(
        response,
        call.id,
        `"result":{"resultType":"input_required",${question},"requestState":"${round + 1}"}`,
      )
    }
    default:
      return json(response, call.id, small)
  }
}

function json(response: ServerResponse, id: Call['id'], rest: string): void {
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Frames apart by some milliseconds, so that each one travels by itself; each carries the machine's monotonic clock when it was written. */
async function progress(call: Call, response: ServerResponse, frames: number, apartMs: number): Promise<void> {
  const token = JSON.stringify(call.params._meta?.progressToken)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
  response.flushHeaders()
  for (let at = 1; at <= frames && !response.destroyed; at += 1) {
    if (apartMs > 0) await new Promise((resolve) => setTimeout(resolve, apartMs))
    const more = response.write(
      `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${at},"total":${frames},"message":"sent ${process.hrtime.bigint()}"}}\n\n`,
    )
    if (!more) await once(response, 'drain')
  }
  response.end(`event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${small}}\n\n`)
}

const server = createServer((request, response) => {
  bodyOf(request).then(
    (body) => {
      const call = JSON.parse(body) as Call
      if (call.method === 'tools/call') return answer(call, response)
      if (call.method === 'server/discover') return json(response, call.id, discover)
      if (call.method === 'tools/list')
        return json(response, call.id, `"result":{"resultType":"complete","tools":${tools},${HINTS}}`)
      return json(response, call.id, '"error":{"code":-32601,"message":"Method not found"}')
    },
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
