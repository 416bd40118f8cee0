import type { BodyReference, Edit } from '../../shared/capture/events'
import {
  applyTextEdits,
  insertMember,
  removeMember,
  type MemberSpan,
  type Span,
  type TextEdit,
} from '../../shared/protocol/json-text'

/** Bodies up to this many characters are recorded whole on both legs; longer ones once, with a reference. */
const RECORDED_WHOLE = 16_384

/** A JSON text and the named edits made in it, each by position, so that everything else stays byte for byte. */
export class EditedText {
  readonly #source: string
  readonly #changes: TextEdit[] = []
  /** What each change is, and where. */
  readonly #names: Pick<Edit, 'what' | 'at'>[] = []
  readonly edits: Edit[] = []

  constructor(source: string) {
    this.#source = source
  }

  replace(what: Edit['what'], at: string, span: Span, now: string): void {
    const was = this.#source.slice(span.start, span.end)
    if (was === now) return
    this.#change({ start: span.start, end: span.end, text: now }, { what, at, was, now })
  }

  insert(what: Edit['what'], at: string, objectStart: number, key: string, now: string): void {
    this.#change(insertMember(this.#source, objectStart, key, now), { what, at, now })
  }

  /** Several members at once, since single insertions at one place would overlap. */
  insertAll(what: Edit['what'], at: string, objectStart: number, members: readonly [key: string, raw: string][]): void {
    const [first, ...rest] = members
    if (first === undefined) return
    const more = rest.map(([key, raw]) => `,${JSON.stringify(key)}:${raw}`).join('')
    const change = insertMember(this.#source, objectStart, first[0], first[1] + more)
    this.#changes.push(change)
    this.#names.push({ what, at })
    // One change of the text, and a named edit for each member.
    for (const [key, now] of members)
      this.edits.push({ what, at: `${at}/${pointerKey(key)}`, now, offset: change.start })
  }

  remove(what: Edit['what'], at: string, members: readonly MemberSpan[], member: MemberSpan): void {
    const was = this.#source.slice(member.start, member.end)
    this.#change(removeMember(members, members.indexOf(member)), { what, at, was })
  }

  get text(): string {
    return applyTextEdits(this.#source, this.#changes)
  }

  /** How to record the edited text when it is too large to be written a second time. */
  reference(seq: number): BodyReference | undefined {
    if (this.#source.length <= RECORDED_WHOLE) return undefined
    return {
      seq,
      edits: this.#changes.map((change, index) => {
        const named = this.#names[index]
        return {
          what: named?.what ?? 'id',
          at: named?.at ?? '',
          offset: change.start,
          was: this.#source.slice(change.start, change.end),
          now: change.text,
        }
      }),
    }
  }

  #change(change: TextEdit, edit: Edit): void {
    this.#changes.push(change)
    this.#names.push(edit)
    edit.offset = change.start
    this.edits.push(edit)
  }
}

/** A member's key in a JSON Pointer (RFC 6901, 3). */
function pointerKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
