import type { TextEdit } from '../protocol/json-text'

/** Shorter texts are no tokens that were made by a machine. */
const LEAST_TOKEN = 16
const LEAST_RANDOM = 24
const LEAST_UNCOMMON = 8

/** How well-known issuers begin their tokens. */
const ISSUED =
  /^(?:sk|pk|rk|gh[opsur]|github_pat|glpat|xox[a-z]|xapp|npm|hf|pat|whsec|shpat|lin_api|ntn|dop_v1|SG|AKIA|ASIA|AIza|ya29|eyJ)/
/** Of projects, calls and much else, seldom a secret; those that are have a name that says it. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Pieces of names and versions: a word, a number, a word with a short number at either end. */
const PLAIN_PIECE = /^(?:\d*|[a-z]+|[A-Z]+|[A-Za-z]{1,24}\d{1,4}|\d{1,4}[A-Za-z]{1,12})$/
const CAMEL = /^[A-Za-z][a-z]*(?:[A-Z][a-z]*)*$/
const BETWEEN = /[-_.~+]/

/** A piece that names and versions have; letters that change their case all the time are none. */
function isPlainPiece(piece: string): boolean {
  if (PLAIN_PIECE.test(piece)) return true
  return CAMEL.test(piece) && (piece.match(/[A-Z]/g) ?? []).length * 4 <= piece.length
}

/** Whether a word of letters, digits and `-_.~+` looks like a token that a machine made. */
export function looksLikeToken(word: string): boolean {
  if (word.length < LEAST_TOKEN) return false
  if (UUID.test(word)) return false
  const random = word.split(BETWEEN).filter((piece) => !isPlainPiece(piece))
  if (random.length === 0) return false
  if (ISSUED.test(word)) return true
  if (random.some(({ length }) => length >= LEAST_TOKEN)) return true
  return random.reduce((sum, { length }) => sum + length, 0) >= LEAST_RANDOM
}

/** A path, of any system, or one that is relative by its beginning. */
const PATH = /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:)/
const WORD = /[^\s"'`,;<>(){}[\]=&?]{16,}/g
const BASE64 = /^[A-Za-z0-9+/_-]{20,}$/
const RUN = /[A-Za-z0-9_~+.-]{16,}/g
/** Names of contents, which are no secrets: digests of images and packages, commits. */
const DIGEST = /(?:\bsha\d{3}[:-]|#)$/
const HEX = /^[0-9a-f]{40,128}$/

/** Where a text has what looks like a token that a machine made, in words that are no paths. Time is linear in the text. */
export function tokenEdits(text: string): TextEdit[] {
  const edits: TextEdit[] = []
  for (const { index, 0: word } of text.matchAll(WORD)) {
    if (PATH.test(word)) continue
    const runs = [...word.matchAll(RUN)].filter(({ index: at, 0: run }) => {
      if (HEX.test(run) && DIGEST.test(word.slice(Math.max(0, at - 8), at))) return false
      return looksLikeToken(run)
    })
    // Base64 has slashes of its own, and may end with signs of equality.
    if (runs.length > 0 && BASE64.test(word)) {
      const padding = /^={0,2}/.exec(text.slice(index + word.length, index + word.length + 2))?.[0].length ?? 0
      edits.push({ start: index, end: index + word.length + padding, text: '' })
    } else {
      for (const { index: at, 0: run } of runs)
        edits.push({ start: index + at, end: index + at + run.length, text: '' })
    }
  }
  return edits
}

/** Numbers, paths and addresses say nothing secret by themselves. */
export function isNumberOrPlace(value: string): boolean {
  return /^[\d.,:+-]*$/.test(value) || PATH.test(value) || /^[A-Za-z][A-Za-z0-9+.-]{0,30}:\/\//.test(value)
}

/** Base64 begins with a slash now and then; folders have names that are words. */
function isBase64WithSlash(value: string): boolean {
  if (!/^\/[A-Za-z0-9+/]{19,}={0,2}$/.test(value)) return false
  const random = value.split(/[/+=]/).filter((piece) => !isPlainPiece(piece))
  return random.reduce((sum, { length }) => sum + length, 0) >= LEAST_TOKEN
}

/**
 * Whether a value that is secret by its name can be looked for in other texts: it is no word, number, path or address
 * that may stand anywhere.
 */
export function isUncommon(value: string): boolean {
  if (value.length < LEAST_UNCOMMON) return false
  if (isNumberOrPlace(value)) return isBase64WithSlash(value)
  return value.split(/[-_.~+\s/:]/).some((piece) => !isPlainPiece(piece))
}
