/**
 * How well secrets are kept. `system`: under a key of the system's keychain. `weak`: the system has no keychain, the key
 * is one that everybody knows. `none`: nothing can be encrypted or read here.
 */
export type SecretProtection = 'system' | 'weak' | 'none'

/** Encrypts for this user on this machine; only a desktop has one. */
export interface SecretCipher {
  protection(): SecretProtection
  /** Where the key is, for people: `macOS Keychain`. */
  keeper(): string
  encrypt(text: string): Buffer
  /** Throws when the bytes were encrypted elsewhere, or the key is gone. */
  decrypt(bytes: Buffer): string
}
