import { expect, it } from 'vitest'
import { closingResult, notificationText, requestFor, retagged } from './message-texts'

const ID = '"io.modelcontextprotocol/subscriptionId"'

it.each([
  [
    `{"method":"m", "params":{"n":1.0,"_meta":{"a":1,${ID}: 77 }}}`,
    `{"method":"m", "params":{"n":1.0,"_meta":{"a":1,${ID}: "c" }}}`,
  ],
  [`{"method":"m","params":{"_meta":{ }}}`, `{"method":"m","params":{"_meta":{${ID}:"c" }}}`],
  [`{"method":"m","params":{"uri":"a"}}`, `{"method":"m","params":{"uri":"a","_meta":{${ID}:"c"}}}`],
  [`{"method":"m"}`, `{"method":"m","params":{"_meta":{${ID}:"c"}}}`],
  [`{"method":"m","params":[1]}`, `{"method":"m","params":{"_meta":{${ID}:"c"}}}`],
  [`{"method":"m","params":{"_meta":null}}`, `{"method":"m","params":{"_meta":{${ID}:"c"}}}`],
])('retags %s', (text, expected) => {
  const { text: now, edits } = retagged(text, '"c"')
  expect(now).toBe(expected)
  expect(edits.map(({ what }) => what)).toEqual(['subscriptionId'])
})

it('asks a backend its part only, and leaves the rest of the request as it is', () => {
  const body =
    '{"id":1.0,"params":{"x":1.0,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a","b"]}},"method":"m"}'
  const tools = true
  const uris = ['a', 'b']
  const asked = { toolsListChanged: tools, resourceSubscriptions: uris }
  expect(requestFor(body, '9', asked, asked).text).toBe(body.replace('1.0,"params"', '9,"params"'))
  expect(requestFor(body, '9', asked, { toolsListChanged: tools, resourceSubscriptions: ['b'] }).text).toBe(
    body.replace('1.0,"params"', '9,"params"').replace('["a","b"]', '["b"]'),
  )
  expect(requestFor(body, '9', asked, { toolsListChanged: tools }).text).toBe(
    body.replace('1.0,"params"', '9,"params"').replace('["a","b"]', '[]'),
  )
})

it('composes messages under the id of the client, type preserved', () => {
  expect(notificationText('notifications/x', '"7"', { uri: 'a"b' })).toBe(
    `{"jsonrpc":"2.0","method":"notifications/x","params":{"uri":"a\\"b","_meta":{${ID}:"7"}}}`,
  )
  expect(closingResult('7')).toBe(`{"resultType":"complete","_meta":{${ID}:7}}`)
})
