import { Check, Copy, TriangleAlert } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useMemo, useState } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import type { HeaderList } from '../../shared/capture/events'
import { curlCommand, sdkSnippet, type SnippetSource } from '../../shared/report/call-snippets'
import { useActions } from '../actions/use-actions'
import { copyText } from '../controls/copy-button'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useStatus } from '../stores/desk-context'

const SHOWN_MS = 1_500

/** Copies a call as something that makes it again. What was redacted stays a mark, to be filled in. */
export function CopyCall({ record }: { record: CallRecord }) {
  const endpoint = useStatus((state) => state.status?.endpoint)
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const { request } = record
  // Not again with every frame of the call.
  const source = useMemo(() => snippetSource({ request }, endpoint), [request, endpoint])
  const sdk = useMemo(() => (source === null ? undefined : sdkSnippet(source)), [source])
  const copy = async (text: string) => setState((await copyText(text)) ? 'copied' : 'failed')
  const curl = () => source !== null && void copy(curlCommand(source))
  useActions({
    ...(source !== null && { 'call.copyCurl': curl }),
    ...(sdk !== undefined && { 'call.copySdk': () => void copy(sdk) }),
  })
  if (source === null) return null
  const Icon = state === 'copied' ? Check : state === 'failed' ? TriangleAlert : Copy
  const said = state === 'idle' ? 'copy the call' : state === 'copied' ? 'Copied' : 'Could not be copied'
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={controls.icon} aria-label={said} title={said} data-testid="copy-call">
        <Icon size={13} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          <DropdownMenu.Item className={menu.item} onSelect={curl}>
            Copy as cURL
          </DropdownMenu.Item>
          {sdk !== undefined && (
            <DropdownMenu.Item className={menu.item} onSelect={() => void copy(sdk)}>
              Copy as TypeScript (SDK)
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className={menu.item} onSelect={() => void copy(source.body)}>
            Copy the request
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
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
