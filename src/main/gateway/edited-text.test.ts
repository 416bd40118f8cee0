import { describe, expect, it } from 'vitest'
import { applyNamedEdits } from '../../shared/capture/body-reference'
import { memberOf, objectMembers } from '../../shared/protocol/json-text'
import { EditedText } from './edited-text'

/** A desk that has the text and the named edits knows the edited text: nothing but what is named may differ. */
describe('the named edits say all that was changed', () => {
  it.each<[string, string, (edited: EditedText, source: string) => void]>([
    [
      'a replaced member',
      '{ "id" : 7, "a": [1, 2] }',
      (edited, source) =>
        edited.replace('id', '/id', memberOf(objectMembers(source), 'id') ?? { start: 0, end: 0 }, '12'),
    ],
    ['an inserted member', '{"a":1}', (edited) => edited.insert('id', '/id', 0, 'id', '3')],
    ['one in an empty object', '{  }', (edited) => edited.insert('id', '/id', 0, 'id', '3')],
    [
      'one in an empty object within another',
      '{"result":{ },"x":1}',
      (edited) => edited.insert('requestState', '/result/requestState', 10, 'requestState', '"s"'),
    ],
    [
      'several in one place',
      '{"result":{"content":[]}}',
      (edited) =>
        edited.insertAll('era', '/result', 10, [
          ['resultType', '"complete"'],
          ['_meta', '{"a/b~c":{}}'],
          ['ttlMs', '0'],
        ]),
    ],
    [
      'several in an empty object',
      '{"result":{}}',
      (edited) =>
        edited.insertAll('era', '/result', 10, [
          ['resultType', '"complete"'],
          ['a/b~c', '1'],
        ]),
    ],
    ['a removed member before others', '{"a": 1 , "b": 2}', remove('a')],
    ['a removed member between others', '{"a":1,\n  "b": {"x": "b"} ,\n "c":3}', remove('b')],
    ['the last member removed', '{"a":1 , "b": "x"}', remove('b')],
    ['the only member removed', '{ "b": true }', remove('b')],
    [
      'replaced and inserted',
      '{"id":1,"result":{"a":1}}',
      (edited, source) => {
        edited.replace('id', '/id', memberOf(objectMembers(source), 'id') ?? { start: 0, end: 0 }, '"long id"')
        edited.insert('era', '/result/resultType', 17, 'resultType', '"complete"')
      },
    ],
  ])('%s', (_what, source, edit) => {
    const edited = new EditedText(source)
    edit(edited, source)
    expect(JSON.parse(edited.text)).toBeTruthy()
    expect(edited.text).not.toBe(source)
    expect(applyNamedEdits(source, edited.edits)).toBe(edited.text)
  })

  it('names each of several members by its pointer', () => {
    const edited = new EditedText('{"result":{}}')
    edited.insertAll('era', '/result', 10, [
      ['resultType', '"complete"'],
      ['a/b~c', '1'],
    ])
    expect(edited.edits.map(({ at, now }) => [at, now])).toEqual([
      ['/result/resultType', '"complete"'],
      ['/result/a~1b~0c', '1'],
    ])
  })
})

function remove(key: string): (edited: EditedText, source: string) => void {
  return (edited, source) => {
    const members = objectMembers(source) ?? []
    const member = memberOf(members, key)
    if (member === undefined) throw new Error(`no member ${key}`)
    edited.remove('meta', `/${key}`, members, member)
  }
}
