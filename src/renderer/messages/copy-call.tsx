import { Check, Copy, TriangleAlert } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useMemo, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import type { HeaderList } from '../../shared/capture/events'
import { curlCommand, sdkSnippet, type SnippetSource } from '../../shared/report/call-snippets'
import { withoutSecrets, type PlainSnippet } from '../../shared/report/snippet-secrets'
import { useActions } from '../actions/use-actions'
import { copyText } from '../controls/copy-button'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useStatus } from '../stores/desk-context'
import { CopySensitive } from './copy-sensitive'

const SHOWN_MS = 1_500

/**
 * Copies a call as something that makes it again. Secrets are left out, as in an export, unless they are asked for once
 * more. What was redacted stays a mark, to be filled in.
 */
export function CopyCall({ record }: { record: CallRecord }) {
  const endpoint = useStatus((state) => state.status?.endpoint)
  const [said, setSaid] = useState<{ icon: typeof Copy; words: string } | null>(null)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  const { request } = record
  // Not again with every frame of the call.
  const whole = useMemo(() => snippetSource({ request }, endpoint), [request, endpoint])
  const hasSdk = useMemo(() => whole !== null && sdkSnippet(whole) !== undefined, [whole])
  if (whole === null) return null
  const copy = async (text: string, words: string) => {
    const copied = await copyText(text)
    setSaid(copied ? { icon: Check, words } : { icon: TriangleAlert, words: 'Could not be copied' })
  }
  const copyPlain = (form: CopyForm) => {
    const plain = withoutSecrets(whole)
    void copy(textOf(form, plain.source), copiedWords(plain))
  }
  const Icon = said?.icon ?? Copy
  const title = said?.words ?? 'copy the call'
  const forms = FORMS.filter((form) => form !== 'sdk' || hasSdk)
  return (
    <>
      <CopyActions hasSdk={hasSdk} onCopy={copyPlain} />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className={controls.icon} aria-label={title} title={title} data-testid="copy-call">
          <Icon size={13} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
            {forms.map((form) => (
              <DropdownMenu.Item key={form} className={menu.item} onSelect={() => copyPlain(form)}>
                {LABELS[form]}
              </DropdownMenu.Item>
            ))}
            <WithSecrets whole={whole} onSelect={() => setAsking(true)} />
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asking && (
        <CopySensitive
          forms={forms.map((form) => ({
            label: LABELS[form],
            copy: () => void copy(textOf(form, whole), 'Copied with sensitive data'),
          }))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const FORMS = ['curl', 'sdk', 'request'] as const
type CopyForm = (typeof FORMS)[number]
const LABELS: Record<CopyForm, string> = {
  curl: 'Copy as cURL',
  sdk: 'Copy as TypeScript (SDK)',
  request: 'Copy the request',
}

function textOf(form: CopyForm, source: SnippetSource): string {
  if (form === 'request') return source.body
  return form === 'curl' ? curlCommand(source) : (sdkSnippet(source) ?? '')
}

function copiedWords({ redacted, hints }: PlainSnippet): string {
  const left = hints.length === 0 ? '' : `; look before you share it: there may be a secret in it (${hints.join(', ')})`
  return `Copied${redacted ? ', without secrets' : ''}${left}`
}

function CopyActions({ hasSdk, onCopy }: { hasSdk: boolean; onCopy: (form: CopyForm) => void }) {
  useActions({
    'call.copyCurl': () => onCopy('curl'),
    ...(hasSdk && { 'call.copySdk': () => onCopy('sdk') }),
  })
  return null
}

/** Where something is left out. Looked at when the menu is open only: bodies may be large. */
function WithSecrets({ whole, onSelect }: { whole: SnippetSource; onSelect: () => void }) {
  const redacted = useMemo(() => withoutSecrets(whole).redacted, [whole])
  if (!redacted) return null
  return (
    <>
      <DropdownMenu.Separator className={menu.separator} />
      <DropdownMenu.Item className={menu.item} onSelect={onSelect}>
        With sensitive data…
      </DropdownMenu.Item>
    </>
  )
}

/** What the client asked, at the endpoint as it is now; null while the request is not here whole. */
export function snippetSource(
  { request }: Pick<CallRecord, 'request'>,
  endpoint: string | undefined,
): SnippetSource | null {
  if (request === null || request.body.clipped || request.body.missing !== undefined) return null
  const { method, path, headers } = request.http
  const origin = endpoint === undefined || !URL.canParse(endpoint) ? hostOf(headers) : new URL(endpoint).origin
  return { url: origin + path, method, headers, body: request.body.text }
}

function hostOf(headers: HeaderList): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1]
  return `http://${host ?? '127.0.0.1'}`
}
