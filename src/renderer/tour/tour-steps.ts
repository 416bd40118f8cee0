import type { CallSummary } from '../../shared/capture/summary'
import type { Tab } from '../stores/selection-store'

/** Parts of the desk that a step can point at: values of the attribute `data-tour`. */
export type TourPlace = 'endpoint' | 'work' | 'table' | 'detail' | 'compose' | 'captures' | 'findings'

export interface TourStep {
  title: string
  text: string
  /** Of these the first that is on screen is pointed at. */
  places: readonly [TourPlace, ...TourPlace[]]
  /** What the live run is to show meanwhile: its calls, with one of them open at this part when one fits; better ones first. */
  opens?: { tab: Tab; fits: readonly ((call: CallSummary) => boolean)[] } | 'calls'
}

/** The steps of the tour. `commands` and `keys` are the keys of the palette and of the sheet of keys, for people. */
export function tourSteps(commands: string, keys: string): TourStep[] {
  return [
    {
      title: 'Point your client here',
      text: 'Your MCP client calls this address in place of its servers and sees all of them together. Each backend also has an address of its own, with its names unchanged.',
      places: ['endpoint'],
    },
    {
      title: 'Every call, while it happens',
      text: 'A row for each call: where it goes, the eras of both legs, how it was answered, and its life as a small lane. Type / to filter, j and k to walk. The newest is followed while you are at the end.',
      places: ['table', 'work'],
      opens: 'calls',
    },
    {
      title: 'Stream: two lanes, one clock',
      text: 'The client leg above, the backend leg below. In the hatched band, the deferral window, a plain JSON answer is still possible; the flag is the commit to JSON or to a stream, with its cause. Then every frame, in order.',
      places: ['detail', 'table', 'work'],
      opens: {
        tab: 'stream',
        fits: [(call) => isStreamed(call) && call.progress > 0 && call.outcome === 'result', isStreamed],
      },
    },
    {
      title: 'Rounds: when a backend asks back',
      text: 'The rounds of one operation side by side: what the backend asked, what the client answered, and the request state that travels between them, in its two layers.',
      places: ['detail', 'table', 'work'],
      opens: { tab: 'rounds', fits: [(call) => call.round > 1 || call.drivenRounds > 0] },
    },
    {
      title: 'Compose: call by hand',
      text: 'Pick a tool, fill in the form of its schema, and send it through any endpoint, in either era. What the backend asks meanwhile is answered here, too.',
      places: ['compose'],
    },
    {
      title: 'Captures: nothing is lost',
      text: 'What you see is recorded to a file. Open captures and HARs beside the live run, or drop them here; export, play and compare them, or send them again to the servers of now.',
      places: ['captures'],
    },
    {
      title: 'Findings: what bends the protocol',
      text: `Each finding names the section of the specification, why it matters and where to look. ${commands} has every command, this tour among them; ${keys} shows all keys.`,
      places: ['findings'],
    },
  ]
}

function isStreamed({ answer, stream }: CallSummary): boolean {
  return answer?.form === 'sse' && stream === null
}

/** The call that a step opens: the newest that fits best. */
export function callFor(step: TourStep, newest: readonly CallSummary[]): CallSummary | undefined {
  if (step.opens === undefined || step.opens === 'calls') return undefined
  for (const fits of step.opens.fits) {
    const found = newest.find(fits)
    if (found !== undefined) return found
  }
  return undefined
}
