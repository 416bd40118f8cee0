import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../shared/protocol/json-rpc'
import { expectedOf, readFilter, unionOf, type Filter } from './filter'

it.each<[JsonValue | undefined, Filter]>([
  [{}, {}],
  [{ toolsListChanged: true, promptsListChanged: false }, { toolsListChanged: true }],
  [{ resourceSubscriptions: [] }, {}],
  [
    { resourceSubscriptions: ['a', 'b'], taskIds: ['t'] },
    { resourceSubscriptions: ['a', 'b'], taskIds: ['t'] },
  ],
  [{ 'vendor/thing': { deep: 1 }, gone: null }, { 'vendor/thing': { deep: 1 } }],
  [{ fault: 'a member of that name' }, { fault: 'a member of that name' }],
])('reads %j', (notifications, filter) => expect(readFilter(notifications)).toEqual({ filter }))

it.each<[JsonValue | undefined, string]>([
  [undefined, '"notifications" must be an object'],
  [null, '"notifications" must be an object'],
  [[], '"notifications" must be an object'],
  ['tools', '"notifications" must be an object'],
  [{ toolsListChanged: 1 }, '"notifications.toolsListChanged" must be true or false'],
  [{ resourceSubscriptions: 'a' }, '"notifications.resourceSubscriptions" must be an array of strings'],
  [{ resourceSubscriptions: ['a', 5] }, '"notifications.resourceSubscriptions" must be an array of strings'],
  [{ taskIds: null }, '"notifications.taskIds" must be an array of strings'],
])('refuses %j', (notifications, fault) =>
  expect(readFilter(notifications)).toEqual({ fault: expect.stringContaining(fault) }),
)

const asked: Filter = { toolsListChanged: true, resourceSubscriptions: ['a', 'b', 'c'], 'vendor/thing': { deep: 1 } }
it.each<[Filter[], Filter]>([
  [[], {}],
  [[{}, {}], {}],
  [[{ toolsListChanged: true }, {}], { toolsListChanged: true }],
  [[{ toolsListChanged: false }], {}],
  [[{ promptsListChanged: true }], {}],
  [
    [{ resourceSubscriptions: ['c', 'x'] }, { resourceSubscriptions: ['a', 'c'] }],
    { resourceSubscriptions: ['a', 'c'] },
  ],
  [[{ resourceSubscriptions: 'a' }, { resourceSubscriptions: [5] }], {}],
  [[{ 'vendor/thing': true }], { 'vendor/thing': { deep: 1 } }],
])('the union of %j', (honoured, union) => {
  expect(unionOf(asked, honoured)).toEqual(union)
})

it.each<[JsonObject | undefined, Filter]>([
  [undefined, asked],
  [{ capabilities: 5 }, asked],
  [{ capabilities: {} }, {}],
  [{ capabilities: { tools: { listChanged: true }, resources: { listChanged: true } } }, { toolsListChanged: true }],
  [{ capabilities: { resources: { subscribe: true } } }, { resourceSubscriptions: ['a', 'b', 'c'] }],
])('a backend that declared %j is expected to honour', (discovered, expected) => {
  expect(expectedOf(asked, discovered)).toEqual(expected)
})
