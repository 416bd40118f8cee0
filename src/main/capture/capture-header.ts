import type { CaptureHeader } from '../../shared/capture/events'
import { redactUrl, redactWords } from '../../shared/capture/redact-fields'
import type { RedactionRules } from '../../shared/capture/redaction-rules'
import { CAPTURE_VERSION } from '../../shared/capture/schema'

/** The header of a new capture that begins at `startedAt` (Unix milliseconds). */
export function newHeader(
  { gateway, backends }: Pick<CaptureHeader, 'gateway' | 'backends'>,
  rules: RedactionRules,
  startedAt: number,
): CaptureHeader {
  return {
    format: 'sluice-capture',
    version: CAPTURE_VERSION,
    startedAt: new Date(startedAt).toISOString(),
    gateway,
    backends: backendsOf(backends, rules),
    redaction: redactionOf(rules),
    lost: { events: 0, bytes: 0 },
  }
}

/** A header by further rules; null leaves it as it is. */
export function redactHeader(header: CaptureHeader, rules: RedactionRules | null): CaptureHeader {
  if (rules === null) return header
  const { gateway, imported } = header
  return {
    ...header,
    gateway: { ...gateway, ...(gateway.endpoint !== undefined && { endpoint: redactUrl(gateway.endpoint, rules) }) },
    backends: backendsOf(header.backends, rules),
    redaction: redactionOf(rules),
    ...(imported !== undefined && { imported: redactWords(imported, rules) }),
  }
}

function backendsOf(backends: CaptureHeader['backends'], rules: RedactionRules): CaptureHeader['backends'] {
  return backends.map(({ url, ...backend }) => ({
    ...backend,
    ...(url !== undefined && { url: redactUrl(url, rules) }),
  }))
}

/** The rules as a header names them. */
function redactionOf({ headers, keys, paths }: RedactionRules): CaptureHeader['redaction'] {
  return {
    headers: [...headers].sort(),
    keys: [...keys].sort(),
    ...(paths.length > 0 && { paths: paths.map(pointerOf).sort() }),
  }
}

function pointerOf(path: readonly string[]): string {
  return path.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
