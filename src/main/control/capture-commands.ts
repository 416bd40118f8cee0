import type { CommandName, Commands } from '../../shared/api/contract'
import type { CaptureView } from '../capture/capture-view'
import { foldCall } from '../../shared/capture/fold'
import { findingsOf } from '../../shared/findings'
import type { CaptureUploads } from './capture-uploads'
import { clipEvents } from './clip-events'
import { CommandFailure } from './command-failure'
import { listFindings } from './findings-list'
import type { ControlSources } from './control-sources'
import type { OpenedCaptures } from './opened-captures'

const DEFAULT_LIMIT = 1_000
/** A call of more events is shown by its beginning and its end. */
const FIRST_EVENTS = 2_000
const LAST_EVENTS = 18_000

type Of<N extends CommandName> = {
  [K in N]: (
    request: Commands[K]['request'],
    signal: AbortSignal,
  ) => Commands[K]['response'] | Promise<Commands[K]['response']>
}
export type CaptureHandlers = Of<
  | 'calls.list'
  | 'call.events'
  | 'call.annotate'
  | 'call.text'
  | 'operation.calls'
  | 'calls.search'
  | 'findings.list'
  | 'captures.list'
  | 'capture.open'
  | 'capture.close'
  | 'capture.upload'
>

/** The commands that look into captures: the one of this run, and those that were opened. */
export function captureCommands(
  recorder: ControlSources['recorder'],
  opened: OpenedCaptures,
  uploads: CaptureUploads,
): CaptureHandlers {
  const viewOf = (capture: string | undefined): CaptureView => (capture === undefined ? recorder : opened.view(capture))

  function known(view: CaptureView, call: number): void {
    if (view.index.get(call) !== undefined) return
    if (view === recorder)
      throw new CommandFailure('not-found', `call ${call} is not in memory`, 'older calls are in the capture file only')
    throw new CommandFailure('not-found', `call ${call} is not in this capture`, 'choose another call')
  }

  return {
    'calls.list': ({ after, limit, capture }) => viewOf(capture).index.list(after, limit ?? DEFAULT_LIMIT),

    async 'call.events'({ call, capture, after = 0, limit }) {
      const view = viewOf(capture)
      const whole = await view.events(call)
      known(view, call)
      const omitted = Math.max(0, whole.length - FIRST_EVENTS - LAST_EVENTS)
      const shown = omitted === 0 ? whole : [...whole.slice(0, FIRST_EVENTS), ...whole.slice(-LAST_EVENTS)]
      const { events, clipped } = clipEvents(shown)
      const partial = omitted > 0 || clipped.length > 0
      const from = events.findIndex(({ seq }) => seq > after)
      const page = from < 0 ? [] : events.slice(from, limit === undefined ? undefined : from + limit)
      const first = page[0]?.seq ?? Number.POSITIVE_INFINITY
      const last = page.at(-1)?.seq ?? 0
      return {
        events: page,
        ...(last < (events.at(-1)?.seq ?? 0) && page.length > 0 && { more: true as const }),
        clipped: clipped.filter(({ seq }) => seq >= first && seq <= last),
        header: view.header,
        ...(omitted > 0 && { omitted }),
        ...(partial && after === 0 && { findings: findingsOf(foldCall(omitted > 0 ? shown : whole)) }),
      }
    },

    async 'call.annotate'({ call, capture, annotation }) {
      let keep: () => Promise<void>
      if (capture === undefined) {
        if (!recorder.annotate(call, annotation)) known(recorder, call)
        const file = recorder.earlierFileOf(call)
        if (file === null) return {}
        // The run has gone on in another file, where the call is not: what was written there goes with it.
        keep = () => opened.annotateFile(file, call, recorder.index.get(call)?.annotation ?? null)
      } else {
        const view = opened.view(capture)
        known(view, call)
        keep = () => view.annotate(call, annotation)
      }
      try {
        await keep()
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error
        const hint = 'free the disk, or open a copy of the capture elsewhere'
        throw new CommandFailure('failed', `this could not be kept beside the capture: ${error.message}`, hint)
      }
      return {}
    },

    async 'call.text'({ call, seq, capture }) {
      const view = viewOf(capture)
      const found = await view.text(call, seq)
      known(view, call)
      if ('text' in found) return found
      throw new CommandFailure('not-found', found.problem, 'look into the capture file')
    },

    'operation.calls': ({ operation, capture }) => ({ calls: viewOf(capture).index.operation(operation) }),

    'calls.search': async ({ text, capture }, signal) => ({ calls: await viewOf(capture).search(text, signal) }),

    'findings.list': ({ capture }, signal) => listFindings(viewOf(capture), signal),

    'captures.list': async () => ({
      captures: opened.list(),
      recent: await opened.recent(recorder.status().file),
    }),

    'capture.open': async ({ file, handedOver }) => ({ capture: await opened.open(file, handedOver) }),

    async 'capture.close'({ capture }) {
      const file = opened.list().find(({ id }) => id === capture)?.file
      await opened.close(capture)
      if (file !== undefined) await uploads.forget(file)
      return {}
    },

    async 'capture.upload'({ name, upload, data, last }) {
      const id = upload ?? (await uploads.begin(name))
      await uploads.add(id, data)
      return { upload: id, capture: last ? await opened.open(await uploads.end(id)) : null }
    },
  }
}
