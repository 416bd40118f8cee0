import { onTestFinished } from 'vitest'
import { createRecorder } from '../../src/main/capture/recorder'
import type { Recorder } from '../../src/main/capture/recorder-contract'
import { createGateway, type Gateway } from '../../src/main/gateway/gateway'
import { currentTools } from '../../src/main/replay/current-tools'
import { planReplay, type PlanOptions } from '../../src/main/replay/plan-replay'
import { createReplayTarget, type ReplayTarget } from '../../src/main/replay/replay-target'
import { runReplay, type ReplayOptions, type ReplayProgress, type ReplayRun } from '../../src/main/replay/run-replay'
import { compareRules, type RuleTexts } from '../../src/shared/replay/compare-rules'
import type { ReplayPlan } from '../../src/shared/replay/plan'
import type { ReplayReport } from '../../src/shared/replay/report'
import { configuration, keys } from '../gateway/running-gateway'

export interface Recorded {
  gateway: Gateway
  recorder: Recorder
  target: ReplayTarget
  one(backend: string): string
  all: string
}

/** A gateway that records as it does outside of tests, in memory. */
export async function startRecorded(
  backends: Record<string, Record<string, unknown>>,
  redactedKeys: string[] = [],
): Promise<Recorded> {
  const header = { gateway: { name: 'sluice', version: '0.0.0-test' }, backends: [] }
  const recorder = createRecorder({ file: null, header, redaction: { headers: [], keys: redactedKeys } })
  const gateway = createGateway({
    configuration: configuration(backends),
    tap: recorder,
    stateKeys: keys(),
    version: '0.0.0-test',
    backends: {},
  })
  await gateway.listen()
  const target = createReplayTarget(gateway, recorder)
  onTestFinished(async () => {
    target.close()
    await gateway.close(0)
    await recorder.close()
  })
  return { gateway, recorder, target, one: (backend) => `${gateway.base}/mcp/${backend}`, all: `${gateway.base}/mcp` }
}

export async function plan(from: Recorded, to: Recorded, more: Partial<PlanOptions> = {}): Promise<ReplayPlan> {
  await from.recorder.flush()
  return planReplay({
    capture: from.recorder,
    selected: () => true,
    backends: to.target.backends(),
    tools: currentTools(to.target, '0.0.0-test'),
    signal: new AbortController().signal,
    ...more,
  })
}

export function begin(
  planned: ReplayPlan,
  from: Recorded,
  to: Recorded,
  { rules = {}, ...more }: Partial<Omit<ReplayOptions, 'rules'>> & { rules?: RuleTexts } = {},
  onProgress?: (progress: ReplayProgress) => void,
): ReplayRun {
  const read = compareRules(rules)
  if ('problem' in read) throw new Error(read.problem)
  const options = { pacing: 'in-order', consented: () => true, version: '0.0.0-test', ...more } as const
  return runReplay(
    planned,
    { capture: from.recorder, target: to.target },
    { ...options, rules: read.rules },
    onProgress,
  )
}

/** Plans and sends everything again. */
export async function replayed(
  from: Recorded,
  to: Recorded,
  ...more: [Parameters<typeof begin>[3]?]
): Promise<ReplayReport> {
  return begin(await plan(from, to), from, to, ...more).report
}
