import { expect, it } from 'vitest'
import { substituteVariables } from './environment'

const environment = { TOKEN: 'secret', EMPTY: '', OTHER: '${TOKEN}' }

it.each([
  ['plain', 'plain', []],
  ['Bearer ${TOKEN}', 'Bearer secret', []],
  ['${env:TOKEN}/${TOKEN}', 'secret/secret', []],
  ['${UNSET:-fallback}', 'fallback', []],
  ['${UNSET:-}', '', []],
  ['${EMPTY:-fallback}', 'fallback', []],
  ['${TOKEN:-fallback}', 'secret', []],
  ['[${EMPTY}]', '[]', []],
  ['${OTHER}', '${TOKEN}', []],
  ['${UNSET:-a:-b}', 'a:-b', []],
  ['${UNSET}', '${UNSET}', [{ kind: 'missing', name: 'UNSET' }]],
  ['${toString}', '${toString}', [{ kind: 'missing', name: 'toString' }]],
  ['${input:key}', '${input:key}', [{ kind: 'not-understood', expression: '${input:key}' }]],
  ['${}', '${}', [{ kind: 'not-understood', expression: '${}' }]],
  ['a ${TOKEN', 'a ${TOKEN', [{ kind: 'not-understood', expression: '${TOKEN' }]],
  ['$TOKEN', '$TOKEN', []],
])('%s', (text, expected, faults) => {
  expect(substituteVariables(text, environment)).toEqual({ text: expected, faults })
})
