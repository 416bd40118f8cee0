import { safeStorage } from 'electron'
import type { SecretCipher, SecretProtection } from '../config/secrets/secret-cipher'

const KEEPERS: Readonly<Record<string, string>> = {
  gnome_libsecret: 'the keyring of the desktop (libsecret)',
  kwallet: 'KWallet',
  kwallet5: 'KWallet',
  kwallet6: 'KWallet',
}

/** Electron's safeStorage, asked only when a secret is used: the first use may make the system ask the user. After `ready`. */
export function safeStorageCipher(): SecretCipher {
  let known: SecretProtection | undefined
  const protection = (): SecretProtection => {
    if (known !== undefined) return known
    if (isWeak()) {
      // Without a keychain Chromium has one password for everybody. It is used, and said.
      safeStorage.setUsePlainTextEncryption(true)
    }
    if (!safeStorage.isEncryptionAvailable()) return 'none'
    return (known = isWeak() ? 'weak' : 'system')
  }
  return {
    protection,
    keeper,
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (bytes) => safeStorage.decryptString(bytes),
  }
}

function isWeak(): boolean {
  return process.platform === 'linux' && KEEPERS[safeStorage.getSelectedStorageBackend()] === undefined
}

function keeper(): string {
  if (process.platform === 'darwin') return 'the macOS Keychain'
  if (process.platform === 'win32') return 'Windows (DPAPI)'
  return KEEPERS[safeStorage.getSelectedStorageBackend()] ?? 'no keychain'
}
