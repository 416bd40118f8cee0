import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors, type CryptoKey } from 'jose'
import { z } from 'zod'
import type { SealedState, StateRefusedReason } from '../../shared/capture/events'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import type { StateKeys } from './state-keys'

const imported = new WeakMap<Uint8Array, Promise<CryptoKey>>()

/** The secret as WebCrypto wants it. jose would import raw bytes anew for every seal and every open. */
function cryptoKey(secret: Uint8Array): Promise<CryptoKey> {
  const known = imported.get(secret)
  if (known !== undefined) return known
  const key = crypto.subtle.importKey('raw', secret.slice(), 'AES-GCM', false, ['encrypt', 'decrypt'])
  imported.set(secret, key)
  return key
}

/** Fields are short in the token, whole words in the program. docs/request-state.md describes the format. */
const Payload = z.strictObject({
  v: z.literal(1),
  b: z.string(),
  e: z.string(),
  m: z.string(),
  t: z.string(),
  s: z.string().optional(),
  p: z.string(),
  a: z.string().nullable(),
  o: z.string(),
  r: z.int().min(1),
  iat: z.int(),
  exp: z.int(),
})

/** A token longer than this is refused before any of it is decoded. */
export const MAX_STATE_LENGTH = 1_048_576

/** What a re-issued call must have in common with the one that got the state. */
export interface StateBinding {
  endpoint: string
  method: string
  target: string
  paramsDigest: string
  callerDigest: string | null
}

export type OpenedState =
  | { ok: true; sealed: SealedState; kid: string }
  | {
      ok: false
      reason: StateRefusedReason
      sealed?: SealedState
      differs?: { field: string; sealed: JsonValue; now: JsonValue }
    }

/** Seals `state` as compact JWE (`dir`, `A256GCM`) under the current key. */
export async function sealState(state: SealedState, keys: StateKeys): Promise<{ outer: string; kid: string }> {
  const secret = keys.secrets.get(keys.current)
  if (secret === undefined) throw new Error(`No key "${keys.current}" to seal request states with.`)
  const payload: z.input<typeof Payload> = {
    v: state.version,
    b: state.backend,
    e: state.endpoint,
    m: state.method,
    t: state.target,
    ...(state.inner === undefined ? {} : { s: state.inner }),
    p: state.paramsDigest,
    a: state.callerDigest,
    o: state.operation,
    r: state.round,
    iat: state.issuedAt,
    exp: state.expiresAt,
  }
  const outer = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: keys.current })
    .encrypt(await cryptoKey(secret))
  return { outer, kid: keys.current }
}

/**
 * Opens a state that a client brought back and checks what it is bound to. Whether the backend still exists is for the
 * caller to check (`backend_gone`).
 */
export async function openState(
  outer: string,
  keys: StateKeys,
  binding: StateBinding,
  nowSeconds: number,
): Promise<OpenedState> {
  if (outer.length > MAX_STATE_LENGTH) return { ok: false, reason: 'malformed' }
  let kid: string
  try {
    const header = decodeProtectedHeader(outer)
    if (
      typeof header.kid !== 'string' ||
      header.alg !== 'dir' ||
      header.enc !== 'A256GCM' ||
      outer.split('.').length !== 5
    ) {
      return { ok: false, reason: 'malformed' }
    }
    kid = header.kid
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, reason: 'malformed' }
    throw error
  }
  const secret = keys.secrets.get(kid)
  if (secret === undefined) return { ok: false, reason: 'unknown_key' }
  const sealed = await decrypt(outer, secret)
  if (typeof sealed === 'string') return { ok: false, reason: sealed }
  if (sealed.expiresAt <= nowSeconds) {
    return {
      ok: false,
      reason: 'expired',
      sealed,
      differs: { field: 'expiresAt', sealed: sealed.expiresAt, now: nowSeconds },
    }
  }
  if (sealed.callerDigest !== binding.callerDigest) {
    const differs = { field: 'callerDigest', sealed: sealed.callerDigest, now: binding.callerDigest }
    return { ok: false, reason: 'caller_mismatch', sealed, differs }
  }
  for (const field of ['endpoint', 'method', 'target', 'paramsDigest'] as const) {
    if (sealed[field] !== binding[field]) {
      return {
        ok: false,
        reason: 'request_mismatch',
        sealed,
        differs: { field, sealed: sealed[field], now: binding[field] },
      }
    }
  }
  return { ok: true, sealed, kid }
}

async function decrypt(outer: string, secret: Uint8Array): Promise<SealedState | 'malformed' | 'unauthentic'> {
  let plaintext: Uint8Array
  try {
    const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
    plaintext = (await compactDecrypt(outer, await cryptoKey(secret), options)).plaintext
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return 'unauthentic'
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 'malformed'
    throw error
  }
  const payload = Payload.safeParse(JSON.parse(new TextDecoder().decode(plaintext)))
  if (!payload.success) return 'malformed'
  const { v, b, e, m, t, s, p, a, o, r, iat, exp } = payload.data
  return {
    version: v,
    backend: b,
    endpoint: e,
    method: m,
    target: t,
    ...(s === undefined ? {} : { inner: s }),
    paramsDigest: p,
    callerDigest: a,
    operation: o,
    round: r,
    issuedAt: iat,
    expiresAt: exp,
  }
}
