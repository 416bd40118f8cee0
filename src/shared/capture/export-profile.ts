import type { CaptureHeader } from './events'
import { redactionRules, type RedactionNames, type RedactionRules } from './redaction-rules'

/**
 * Members that are secrets by their names. They are taken out of a capture that leaves this machine, beside what was
 * redacted when it was recorded; so are the two below.
 */
const SECRET_KEYS: readonly string[] = [
  'access_token',
  'accesstoken',
  'api_key',
  'api-key',
  'apikey',
  'auth_token',
  'authorization',
  'bearer',
  'client_secret',
  'clientsecret',
  'cookie',
  'credential',
  'credentials',
  'id_token',
  'idtoken',
  'passphrase',
  'passwd',
  'password',
  'private_key',
  'privatekey',
  'pwd',
  'refresh_token',
  'refreshtoken',
  'secret',
  'secret_key',
  'secretkey',
  'session_token',
  'sessiontoken',
  'token',
]
/** The backend's own, and what the gateway sealed around it. */
const STATE_KEYS: readonly string[] = ['requestState']
/** Contents of files: of resources that were read or embedded, of images and audio. */
const FILE_PATHS: readonly string[] = [
  '/result/contents/*/blob',
  '/result/contents/*/text',
  '/result/content/*/data',
  '/result/content/*/resource/blob',
  '/result/content/*/resource/text',
  '/result/messages/*/content/data',
  '/result/messages/*/content/resource/blob',
  '/result/messages/*/content/resource/text',
]

/** The rules of a redacted export: those of the capture, those above, and what is asked for besides. */
export function exportRules(header: Pick<CaptureHeader, 'redaction'>, more: RedactionNames = {}): RedactionRules {
  const { headers, keys, paths = [] } = header.redaction
  return redactionRules({
    headers: [...headers, ...(more.headers ?? [])],
    keys: [...SECRET_KEYS, ...STATE_KEYS, ...keys, ...(more.keys ?? [])],
    paths: [...FILE_PATHS, ...paths, ...(more.paths ?? [])],
  })
}
