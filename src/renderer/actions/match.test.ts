import { describe, expect, it } from 'vitest'
import { ACTION_IDS, ACTIONS } from './catalog'
import { matchScore } from './match'

describe('matchScore', () => {
  it.each([
    ['', ['Next call'], 1],
    ['next', ['Next call'], 1],
    ['CALL', ['Next call'], 0.8],
    ['all', ['Next call'], 0.6],
    ['dark', ['Switch the theme', 'dark light'], 0.4],
    ['light', ['Switch the theme', 'dark light'], 0.4],
    ['ight', ['Switch the theme', 'dark light'], 0.3],
    ['ncl', ['Next call'], 0.1],
    ['xyz', ['Next call', 'following'], 0],
  ])('%s in %j', (typed, texts, score) => {
    expect(matchScore(typed, texts)).toBe(score)
  })

  it.each([
    ['raw', 'call.raw'],
    ['stat', 'go.statistics'],
    ['theme', 'theme.next'],
    ['back', 'go.back'],
    ['open', 'captures.open'],
  ])('finds by %s first what is called so', (typed, id) => {
    const best = ACTION_IDS.map((each) => ({ each, score: matchScore(typed, [ACTIONS[each].title]) }))
    expect(best.sort((one, other) => other.score - one.score)[0]?.each).toBe(id)
  })
})
