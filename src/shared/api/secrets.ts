import type { WaitingBackend } from '../config/secrets'

/** A secret as the desk sees it: never its value. */
export interface SecretStatus {
  name: string
  /** ISO 8601; null: it is used and not set. */
  changedAt: string | null
  /** False while it is not set, and when it cannot be decrypted here. */
  readable: boolean
  /** Backends of the configuration that use it. */
  usedBy: string[]
}

export interface SecretsStatus {
  /** `system`: encrypted under a key of the system. `weak`: in fact not protected. `none`: none can be kept here. */
  protection: 'system' | 'weak' | 'none'
  /** Where the key is, for people. */
  keeper: string | null
  file: string
  /** By name. */
  secrets: SecretStatus[]
  /** Why the file cannot be read, in words. */
  problem: string | null
}

/** Commands about secrets, part of `Commands`. Values only go in. */
export interface SecretsCommands {
  'secrets.list': { request: Record<string, never>; response: SecretsStatus }
  'secrets.set': { request: { name: string; value: string }; response: SecretsStatus }
  'secrets.remove': { request: { name: string }; response: SecretsStatus }
}

/** In `DeskStatus`: backends that are left out until their secrets are there. */
export type { WaitingBackend }
