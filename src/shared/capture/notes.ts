/** What there is to say of a capture file beside its events: what is not in it, and what could not be read. */
export interface CaptureNotes {
  /** Lines that are no event; they are passed over. */
  badLines: number
  /** Lines over the bound of what is taken into memory; they are passed over. */
  longLines: number
  /** Events of kinds that this Sluice does not know, as of a newer one; they are passed over. */
  unknownEvents: number
  /** True when the file ends within a line, as after a crash. */
  torn: boolean
  /** True when another process is writing to it: there may be more by now. */
  growing: boolean
  /** The first few lines that were passed over, in words with their numbers. */
  examples: string[]
  /** What the writer says it lost: before the file was begun, and in `capture.lost` events. */
  lost: { events: number; bytes: number; reasons: string[] }
  /** The file that this one goes on with, and the one that goes on with it; null where there is none. */
  continues: string | null
  continuedIn: string | null
  /** Events of which the beginning of their text was recorded only. */
  cutEvents: number
  /** Calls in the file that have no end. */
  openCalls: number
  /** Calls beyond those that fit into memory; the oldest of the file are not listed. */
  unlistedCalls: number
  /** Events beyond those that are looked up; the newest of the file are not. */
  unlistedEvents: number
}

export function noNotes(): CaptureNotes {
  return {
    badLines: 0,
    longLines: 0,
    unknownEvents: 0,
    torn: false,
    growing: false,
    examples: [],
    lost: { events: 0, bytes: 0, reasons: [] },
    continues: null,
    continuedIn: null,
    cutEvents: 0,
    openCalls: 0,
    unlistedCalls: 0,
    unlistedEvents: 0,
  }
}

/** True when lines of the file could not be read as they should. */
export function isDamaged(notes: CaptureNotes): boolean {
  return notes.badLines + notes.longLines > 0 || notes.torn
}

/** The notes in words, a sentence each; empty when there is nothing to say. Texts of the file are hostile. */
export function describeNotes(notes: CaptureNotes): string[] {
  const { lost } = notes
  const sentences: string[] = []
  const say = (count: number, one: string, many: string): void => {
    if (count > 0) sentences.push(`${count.toLocaleString('en')} ${count === 1 ? one : many}`)
  }
  if (notes.continues !== null) sentences.push(`It goes on with ${notes.continues}, where calls may have begun.`)
  if (notes.continuedIn !== null) sentences.push(`It is continued in ${notes.continuedIn}, where calls may have ended.`)
  if (notes.growing) sentences.push('It is still being written; open it again to see more.')
  if (notes.torn) sentences.push('The last line is torn, as after a crash; it was passed over.')
  say(
    notes.badLines,
    'line is no event and was passed over; its call may lack something.',
    'lines are no events and were passed over; their calls may lack something.',
  )
  say(
    notes.longLines,
    'line is too long and was passed over; its call may lack something.',
    'lines are too long and were passed over; their calls may lack something.',
  )
  say(
    notes.unknownEvents,
    'event is of a kind that this Sluice does not know; a newer one shows it.',
    'events are of kinds that this Sluice does not know; a newer one shows them.',
  )
  say(
    lost.events,
    `event was not recorded${because(lost.reasons)}.`,
    `events were not recorded${because(lost.reasons)}.`,
  )
  say(notes.cutEvents, 'text is here with its beginning only.', 'texts are here with their beginnings only.')
  say(notes.openCalls, 'call has no end in this file.', 'calls have no end in this file.')
  say(
    notes.unlistedCalls,
    'older call is not listed; cut the file to see it.',
    'older calls are not listed; cut the file to see them.',
  )
  say(
    notes.unlistedEvents,
    'event at the end is not listed; cut the file to see it.',
    'events at the end are not listed; cut the file to see them.',
  )
  return sentences
}

function because(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
}
