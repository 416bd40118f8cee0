import type { ReplayCommands, ReplayStatus } from '../../src/shared/api/replay'
import { PLAN, REPLAY, REPORT, REPORT_COUNTS } from './replays'

/** Replays that go on as the desk commands. */
export class ReplaysFixture {
  all: ReplayStatus[] = []
  readonly #tell: (replays: ReplayStatus[]) => void

  constructor(tell: (replays: ReplayStatus[]) => void) {
    this.#tell = tell
  }

  set(change: Partial<ReplayStatus>): void {
    this.all = [{ ...REPLAY, ...this.all[0], ...change }]
    this.#tell(this.all)
  }

  answer(name: keyof ReplayCommands, request: Record<string, never>): unknown {
    switch (name) {
      case 'replay.list':
        return { replays: this.all }
      case 'replay.plan':
        this.set({ state: 'planned', done: 0, total: 31 })
        return { replay: 'r1', plan: PLAN }
      case 'replay.show':
        return { plan: PLAN, report: this.all[0]?.state === 'done' ? REPORT : null }
      case 'replay.start':
        this.set({ state: 'running', done: 12, counts: { same: 10, different: 2, failed: 0, 'not-sent': 0 } })
        return {}
      case 'replay.stop':
        this.set({ state: 'done', stopped: true, done: 31, counts: REPORT_COUNTS })
        return {}
      case 'replay.pause':
        this.set({ state: request.paused ? 'paused' : 'running' })
        return {}
      case 'replay.keep':
        return { file: '/captures/friday.ndjson', updated: 2, kept: [] }
      case 'replay.save':
        return { file: String(request.to) }
      case 'replay.addBackend':
        return { added: String(request.name) }
      case 'replay.close':
        this.all = []
        this.#tell([])
        return {}
    }
  }
}
