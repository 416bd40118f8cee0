import { describe, expect, it } from 'vitest'
import { call, modernRequest, post, rawExchange, send } from '../peers/raw-client'
import { errorOf, list, running } from './echo-gateway'

describe('Host and Origin, exactly (DNS rebinding)', () => {
  const hosts: [host: (port: number) => string, status: number][] = [
    [(port) => `127.0.0.1:${port}`, 200],
    [(port) => `localhost:${port}`, 200],
    [(port) => `LOCALHOST:${port}`, 200],
    [(port) => `[::1]:${port}`, 200],
    [(port) => `127.0.0.1:${port + 1}`, 403],
    [() => '127.0.0.1', 403],
    [() => 'localhost', 403],
    [(port) => `localhost.evil:${port}`, 403],
    [(port) => `evil.localhost:${port}`, 403],
    [(port) => `127.0.0.1.evil.example:${port}`, 403],
    [(port) => `127.0.0.1:${port}.evil.example`, 403],
    [(port) => `user@127.0.0.1:${port}`, 403],
    [(port) => `127.0.0.2:${port}`, 403],
    [() => 'evil.example', 403],
  ]
  for (const [host, status] of hosts) {
    it(`Host ${host(7420)} at port 7420 -> ${status}`, async () => {
      const { port, one } = await running()
      const request = list()
      const answer = await post(one(), request.body, { ...request.headers, host: host(port) })
      expect(answer.status).toBe(status)
      if (status === 403) expect(errorOf(await answer.json()).message).toContain('Host')
    })
  }

  const origins: [origin: (port: number) => string, status: number][] = [
    [(port) => `http://127.0.0.1:${port}`, 200],
    [(port) => `http://localhost:${port}`, 200],
    [(port) => `http://localhost:${port + 1}`, 403],
    [() => 'http://localhost', 403],
    [(port) => `http://localhost.evil:${port}`, 403],
    [(port) => `http://localhost:${port}.evil.example`, 403],
    [(port) => `http://localhost:${port}/`, 403],
    [() => 'null', 403],
    [() => 'https://evil.example', 403],
    [() => 'file://', 403],
  ]
  for (const [origin, status] of origins) {
    it(`Origin ${origin(7420)} at port 7420 -> ${status}`, async () => {
      const { port, one } = await running()
      const request = list()
      const answer = await post(one(), request.body, { ...request.headers, origin: origin(port) })
      expect(answer.status).toBe(status)
    })
  }

  it('takes the additional values of the configuration, exactly as written', async () => {
    const { one } = await running({ allowedHosts: ['tools.test'], allowedOrigins: ['https://page.test'] })
    const request = list()
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(one(), request.body, { ...request.headers, ...headers })).status
    expect(await status({ host: 'tools.test' })).toBe(200)
    expect(await status({ host: 'tools.test:80' })).toBe(403)
    expect(await status({ origin: 'https://page.test' })).toBe(200)
    expect(await status({ origin: 'http://page.test' })).toBe(403)
  })

  it('refuses two Host fields, an empty one, and a request without one', async () => {
    const { port } = await running()
    const empty = await rawExchange(
      port,
      `POST /mcp HTTP/1.1\r\nHost:\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    expect(empty).toMatch(/^HTTP\/1\.1 403 /)
    const twice = await rawExchange(
      port,
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    expect(twice).toMatch(/^HTTP\/1\.1 4\d\d /)
    const none = await rawExchange(port, `POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    expect(none).toMatch(/^HTTP\/1\.1 4\d\d /)
  })
})

describe('what HTTP itself refuses', () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    it(`${method} -> 405 with Allow: POST on both kinds of endpoint`, async () => {
      const { all, one } = await running()
      for (const url of [all, one()]) {
        const answer = await post(url, '', { accept: 'text/event-stream' }, { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.allow).toBe('POST')
      }
    })
  }

  it('404 for paths that are no endpoint, and for backends that are not configured', async () => {
    const { gateway } = await running()
    for (const path of ['/', '/mcp/nobody', '/mcp/echo/more', '/mcpx', '/sse', '/mcp/__proto__', '/mcp/%65cho%2f']) {
      const request = list()
      expect((await post(gateway.base + path, request.body, request.headers)).status, path).toBe(404)
    }
  })

  it('413 over maxBodyBytes, by content-length and by what arrives, and serves the largest body that fits', async () => {
    const { one, calls } = await running({ maxBodyBytes: 2048 })
    const fitting = modernRequest('tools/call', { name: 'echo', arguments: { pad: '' } })
    const padded = fitting.body.replace('"pad":""', `"pad":"${'x'.repeat(2048 - fitting.body.length)}"`)
    expect(padded.length).toBe(2048)
    expect((await post(one(), padded, fitting.headers)).status).toBe(200)
    expect((await post(one(), padded.replace('"x', '"xx'), fitting.headers)).status).toBe(413)
    const { port } = new URL(one())
    const head = `POST /mcp/echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: */*\r\n`
    const chunk = `800\r\n${'x'.repeat(2048)}\r\n`
    const chunked = await rawExchange(
      Number(port),
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
    expect(calls()).toBe(1)
  })

  const types: [type: string | undefined, status: number][] = [
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/x-www-form-urlencoded', 415],
    [undefined, 415],
  ]
  for (const [type, status] of types) {
    it(`Content-Type ${type ?? '(absent)'} -> ${status}`, async () => {
      const { one } = await running()
      const request = list({ headers: { 'content-type': type } })
      expect((await post(one(), request.body, request.headers)).status).toBe(status)
    })
  }

  const accepts: [accept: string | undefined, auto: number, json: number, sse: number][] = [
    ['application/json, text/event-stream', 200, 200, 200],
    ['text/event-stream,application/json', 200, 200, 200],
    ['application/json;q=0.5, text/event-stream;q=0.1', 200, 200, 200],
    ['*/*', 200, 200, 200],
    ['application/*, text/*', 200, 200, 200],
    [undefined, 200, 200, 200],
    ['application/json', 406, 200, 406],
    ['text/event-stream', 406, 406, 406],
    ['application/json, text/event-stream;q=0', 406, 200, 406],
    ['application/json;q=0, text/event-stream', 406, 406, 406],
    ['text/html', 406, 406, 406],
  ]
  for (const [accept, auto, json, sse] of accepts) {
    for (const [responseMode, status] of Object.entries({ auto, json, sse })) {
      it(`Accept ${accept ?? '(absent)'} with responseMode ${responseMode} -> ${status}`, async () => {
        const { one } = await running({ responseMode })
        const request = list({ headers: { accept } })
        expect((await post(one(), request.body, request.headers)).status).toBe(status)
      })
    }
  }

  it('answers 406, 415 and 403 without waiting for the body', async () => {
    const { port } = await running()
    const early = (fields: string): Promise<string> =>
      rawExchange(port, `POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: 50\r\n${fields}\r\n`)
    const host = `Host: 127.0.0.1:${port}\r\n`
    expect(await early(`${host}Content-Type: application/json\r\nAccept: text/html\r\n`)).toMatch(/^HTTP\/1\.1 406 /)
    expect(await early(`${host}Content-Type: text/plain\r\nAccept: */*\r\n`)).toMatch(/^HTTP\/1\.1 415 /)
    expect(await early('Host: evil.example\r\nContent-Type: application/json\r\nAccept: */*\r\n')).toMatch(
      /^HTTP\/1\.1 403 /,
    )
  })
})

describe('bodies that are no request', () => {
  const ping = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`
  const bodies: [name: string, body: string, code: number, id: unknown][] = [
    ['an empty body', '', -32700, undefined],
    ['half an object', '{"jsonrpc":"2.0",', -32700, undefined],
    ['a word', 'hello', -32700, undefined],
    ['a scalar', '5', -32600, undefined],
    ['null', 'null', -32600, undefined],
    ['an empty batch', '[]', -32600, undefined],
    ['a batch', `[${ping('1')}]`, -32600, undefined],
    ['an id of null', ping('null'), -32600, undefined],
    ['an id of true', ping('true'), -32600, undefined],
    ['a broken number as id', ping('1.5'), -32600, undefined],
    ['an object as id', ping('{}'), -32600, undefined],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":7,"method":"tools/list"}', -32600, 7],
    ['no jsonrpc', '{"id":"a","method":"tools/list"}', -32600, 'a'],
    ['a number as method', '{"jsonrpc":"2.0","id":7,"method":5}', -32600, 7],
    ['no method', '{"jsonrpc":"2.0","id":7}', -32600, 7],
    ['params of an array', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}', -32602, 7],
  ]
  for (const [name, body, code, id] of bodies) {
    it(`${name} -> 400 ${code}`, async () => {
      const { all, calls } = await running()
      const answer = await post(all, body, list().headers)
      const message = await answer.json()
      expect(answer.status).toBe(400)
      expect(errorOf(message).code).toBe(code)
      expect(message.id ?? undefined).toBe(id)
      expect(calls()).toBe(0)
    })
  }

  it('a posted result or error -> 400 -32600', async () => {
    const { one } = await running()
    for (const body of [
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
    ]) {
      const answer = await post(one(), body, list().headers)
      expect(answer.status).toBe(400)
      expect(errorOf(await answer.json()).code).toBe(-32600)
    }
  })

  it('a body that is no UTF-8 is an error and reaches no backend', async () => {
    const { one, calls } = await running()
    const { body, headers } = modernRequest('tools/call', { name: 'echo', arguments: { text: 'X' } })
    const bytes = Buffer.from(body)
    bytes[bytes.indexOf('"X"') + 1] = 0xff
    expect((await post(one(), bytes, headers)).status).toBe(400)
    expect(calls()).toBe(0)
  })

  it('deeply nested JSON is answered, not fatal', async () => {
    const { one } = await running()
    const depth = 200_000
    const answer = await post(
      one(),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
      list().headers,
    )
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect((await call(one(), 'tools/list')).status).toBe(200)
  })

  it('answers notifications with 202 and no body, with or without _meta and Mcp-Method', async () => {
    const { all, one } = await running()
    const plain = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    for (const url of [all, one()]) {
      for (const method of ['notifications/cancelled', 'notifications/initialized', 'notifications/anything']) {
        for (const headers of [
          plain,
          { ...plain, 'mcp-protocol-version': '2026-07-28' },
          { ...list().headers, 'mcp-method': method },
        ]) {
          for (const params of [
            undefined,
            { requestId: 1 },
            { requestId: 1, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
          ]) {
            const answer = await post(url, { jsonrpc: '2.0', method, params }, headers)
            expect(answer.status).toBe(202)
            expect(await answer.text()).toBe('')
          }
        }
      }
    }
  })
})

describe('connections', () => {
  it('serves pipelined and kept-alive requests of one connection in order', async () => {
    const { port, one } = await running()
    const { body, headers } = list({ id: 'first' })
    const one_ = (id: string, connection: string): string => {
      const own = body.replace('"first"', `"${id}"`)
      const fields = Object.entries({
        ...headers,
        host: `127.0.0.1:${port}`,
        connection,
        'content-length': String(Buffer.byteLength(own)),
      })
      return `POST ${new URL(one()).pathname} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${own}`
    }
    const received = await rawExchange(port, one_('first', 'keep-alive') + one_('second', 'close'))
    expect(received.indexOf('"first"')).toBeGreaterThan(0)
    expect(received.indexOf('"second"')).toBeGreaterThan(received.indexOf('"first"'))
  })

  it('survives a client that sends half a request and goes away', async () => {
    const { port, one } = await running()
    const exchange = send(one(), 'x', { 'content-length': '1000', 'content-type': 'application/json', accept: '*/*' })
    setTimeout(() => exchange.destroy(), 20)
    await expect(exchange.head).rejects.toThrow()
    expect(await rawExchange(port, 'no http\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect((await call(one(), 'tools/list')).status).toBe(200)
  })
})
