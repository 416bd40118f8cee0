import { describe, expect, it, vi } from 'vitest'
import { ActionsStore } from './actions-store'

describe('ActionsStore', () => {
  it('does what is offered, and nothing else', () => {
    const store = new ActionsStore()
    const next = vi.fn()
    const leave = store.add({ current: { 'calls.next': next } })
    expect(store.doable()).toEqual(['calls.next'])
    store.find('calls.next')?.()
    expect(next).toHaveBeenCalledOnce()
    expect(store.find('calls.previous')).toBeUndefined()
    leave()
    expect(store.doable()).toEqual([])
  })

  it('asks the one that came last, and the one before when it has left', () => {
    const store = new ActionsStore()
    const done: string[] = []
    store.add({ current: { 'call.close': () => done.push('pane') } })
    const leave = store.add({ current: { 'call.close': () => done.push('dialog') } })
    store.find('call.close')?.()
    leave()
    leave()
    store.find('call.close')?.()
    expect(done).toEqual(['dialog', 'pane'])
  })

  it('does what is offered at that moment, and lists in the order of the catalog', () => {
    const store = new ActionsStore()
    const offer: { current: object } = { current: {} }
    store.add(offer)
    offer.current = { 'calls.last': () => undefined, 'palette.open': () => undefined, 'calls.first': () => undefined }
    expect(store.doable()).toEqual(['palette.open', 'calls.first', 'calls.last'])
  })

  it('says when what can be done has changed', () => {
    const store = new ActionsStore()
    const seen = vi.fn()
    store.changes.subscribe(seen)
    store.add({ current: {} })()
    expect(seen).toHaveBeenCalledTimes(2)
  })
})
