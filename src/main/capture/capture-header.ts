import type { CaptureHeader } from '../../shared/capture/events'
import { redactUrl, type RedactionRules } from '../../shared/capture/redaction'
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
    backends: backends.map((backend) => ({
      ...backend,
      ...(backend.url !== undefined && { url: redactUrl(backend.url, rules) }),
    })),
    redaction: { headers: [...rules.headers].sort(), keys: [...rules.keys].sort() },
    lost: { events: 0, bytes: 0 },
  }
}
