import type { Era } from '../../shared/protocol/revisions'
import type { BackendState, Initialized, SessionOpening, UpstreamPart } from './backend'
import type { BackendTiming } from './backend-options'
import { discoverText, INITIALIZED_TEXT, initializeText, readDiscover, readInitialize, type OwnAnswer } from './era'
import type { MessageChannel } from './message-channel'
import { readAnswer } from './own-question'

/** What a fresh connection turned out to be. */
export type Negotiated =
  | { kind: 'modern'; state: Omit<BackendState, 'changedAt'> }
  | { kind: 'legacy'; initialized: Initialized }
  /**
   * It answered `server/discover` after `initialize` had been sent. It is modern, but may also speak legacy revisions, and
   * have taken the one or the other for what this connection speaks: only a new process is sure to be spoken to as modern.
   */
  | { kind: 'late-modern' }
  | { kind: 'failed'; reason: string }

export interface NegotiationOptions {
  channel: MessageChannel
  opening: SessionOpening
  /** The era that configuration gives. */
  pinned: Era | undefined
  /** The era that the server had before: legacy is not asked for again, modern is waited for as long as `initialize` is. */
  expected: Era | undefined
  timing: BackendTiming
  version: string
  sent: UpstreamPart & { kind: 'sent' }
}

/**
 * Finds out on a fresh connection which era its server speaks, and begins a session when it is legacy. Anything but an
 * answer that only a modern server gives means legacy, silence too (basic/transports, stdio, "Backward Compatibility").
 */
export async function negotiate(options: NegotiationOptions): Promise<Negotiated> {
  const { channel, pinned, expected, timing, version } = options
  const era = pinned ?? expected
  if (era === 'legacy') return begin(options, undefined)
  const limitMs = era === 'modern' ? timing.initializeMs : timing.discoverMs
  const discovering = ask(options, 'sluice-discover', 'server/discover', discoverText('sluice-discover', version))
  const answer = await within(limitMs, discovering.answer, 'server/discover')
  if (answer === 'gone') return { kind: 'failed', reason: 'it ended before it answered server/discover' }
  const verdict = readDiscover(answer)
  if (verdict.kind === 'modern') {
    channel.era = 'modern'
    return { kind: 'modern', state: verdict.state }
  }
  const why =
    verdict.kind === 'not-modern' ? verdict.why : (verdict.state.reason ?? 'it did not answer server/discover')
  if (pinned === 'modern') return { kind: 'failed', reason: `${why} ("era" is "modern" in its configuration)` }
  return begin(options, { why, late: answer.message === undefined ? discovering : undefined })
}

interface Question {
  answer: Promise<OwnAnswer>
  giveUp(): void
}

async function begin(
  options: NegotiationOptions,
  discovery: { why: string; late: Question | undefined } | undefined,
): Promise<Negotiated> {
  const { channel, opening, timing } = options
  channel.era = 'legacy'
  const initializing = ask(options, 'sluice-initialize', 'initialize', initializeText('sluice-initialize', opening))
  const initialized = within(timing.initializeMs, initializing.answer, 'initialize')
  // A modern server need not answer `initialize` at all.
  const answer = await Promise.race([
    initialized,
    ...(discovery?.late === undefined ? [] : [lateModern(discovery.late)]),
  ])
  discovery?.late?.giveUp()
  if (answer === 'late-modern') return { kind: 'late-modern' }
  if (answer === 'gone') return { kind: 'failed', reason: 'it ended before it answered initialize' }
  const read = readInitialize(answer)
  if ('trouble' in read) {
    const reason = read.trouble.reason ?? 'it refuses initialize'
    return { kind: 'failed', reason: discovery === undefined ? reason : `${discovery.why}; ${reason}` }
  }
  await channel.send(INITIALIZED_TEXT)
  return { kind: 'legacy', initialized: read.initialized }
}

/** Resolves only if the answer to `server/discover` comes after all, and is that of a modern server. */
function lateModern({ answer }: Question): Promise<'late-modern'> {
  return new Promise((resolve) => {
    void answer.then((late) => {
      if (late.message !== undefined && readDiscover(late).kind === 'modern') resolve('late-modern')
    })
  })
}

function ask(options: NegotiationOptions, id: string, method: string, body: string): Question {
  const abort = new AbortController()
  const parts = options.channel.exchange({ method, id, body, headers: [] }, abort.signal, options.sent)
  return { answer: readAnswer(parts, id), giveUp: () => abort.abort('it took too long') }
}

/** The answer; one that says `failure` when it takes too long; `gone` when the connection ended. */
async function within(limitMs: number, answer: Promise<OwnAnswer>, method: string): Promise<OwnAnswer | 'gone'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<OwnAnswer>((resolve) => {
    timer = setTimeout(
      () => resolve({ status: 0, failure: `no answer to ${method} within ${limitMs / 1000} s` }),
      limitMs,
    )
  })
  const timed = await Promise.race([answer.then((value) => ({ ...value, came: true })), late])
  clearTimeout(timer)
  return 'came' in timed && timed.message === undefined && timed.failure !== undefined ? 'gone' : timed
}
