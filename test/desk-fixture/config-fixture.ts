import type { BackendStatus, Commands, DeskStatus } from '../../src/shared/api/contract'
import type { SecretsStatus } from '../../src/shared/api/secrets'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { IMPORTABLE } from './importable'

const SECRETS: SecretsStatus = {
  protection: 'system',
  keeper: 'the login keyring',
  file: '/home/dev/.local/share/sluice/secrets.json',
  secrets: [{ name: 'GITHUB_TOKEN', changedAt: '2026-11-02T10:00:00.000Z', readable: true, usedBy: ['github'] }],
  problem: null,
}
type Name = Extract<keyof Commands, `config.${string}` | `secrets.${string}`>
type Of<N extends Name> = Commands[N]['request']

/** Entries that say more than the status does. */
const ENTRIES: Record<string, JsonObject> = {
  files: {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/files', '--token', '«kept 1»'],
    env: { LOG_LEVEL: '«kept 2»', FILES_KEY: '${secret:FILES_KEY}', HOME: '${HOME}' },
    cwd: '/srv',
    include: ['read_*', 'list_*'],
    rename: { read_text_file: 'read' },
  },
  github: {
    type: 'http',
    url: 'https://mcp.example.com/mcp',
    headers: { Authorization: 'Bearer «kept 1»', 'X-Tenant': '${TENANT:-acme}' },
    passHeaders: ['X-Request-Id'],
  },
  recorded: { type: 'replay', file: 'captures/friday-booking-bug.ndjson', backend: 'booking', speed: 4 },
}
const COUNTS = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 }

/** The configuration file, as far as its backends and secrets go. */
export class ConfigFixture {
  readonly #status: () => DeskStatus
  readonly #change: (change: Partial<DeskStatus>) => void
  #removed: BackendStatus[] = []

  constructor(status: () => DeskStatus, change: (change: Partial<DeskStatus>) => void) {
    this.#status = status
    this.#change = change
  }

  answer(name: Name, request: Record<string, never>): unknown {
    switch (name) {
      case 'config.addBackend':
        return this.#add(request as unknown as Of<'config.addBackend'>)
      case 'config.backend':
        return this.#entry(request as unknown as Of<'config.backend'>)
      case 'config.editBackend':
        return this.#edit(request as unknown as Of<'config.editBackend'>)
      case 'config.turnBackend':
        return this.#turn(request as unknown as Of<'config.turnBackend'>)
      case 'config.removeBackend': {
        const { backends, off } = this.#status()
        this.#removed = backends.filter((each) => each.name === String(request.name))
        const others = backends.filter((each) => each.name !== String(request.name))
        this.#change({ backends: others, off: off.filter((each) => each.name !== String(request.name)) })
        return { undo: 'u1', held: null }
      }
      case 'config.restoreBackend':
        this.#change({ backends: [...this.#status().backends, ...this.#removed] })
        return { name: this.#removed[0]?.name ?? '', held: null }
      case 'config.settings':
      case 'config.set':
        return { file: this.#status().configFile ?? '', values: [] }
      case 'config.importable':
        return { files: IMPORTABLE }
      case 'config.import':
        return { added: (request as unknown as Of<'config.import'>).names }
      case 'secrets.list':
      case 'secrets.set':
      case 'secrets.remove':
        return SECRETS
    }
  }

  #add({ name, entry }: Of<'config.addBackend'>): Commands['config.addBackend']['response'] {
    const { backends, endpoint } = this.#status()
    const asked = JSON.parse(entry) as { url?: string; command?: string; args?: string[] }
    const backend: BackendStatus = {
      name,
      ...(typeof asked.url === 'string'
        ? { type: 'http', url: asked.url }
        : { type: 'stdio', command: [asked.command, ...(asked.args ?? [])].join(' '), restartable: true }),
      endpoint: `${endpoint}/${name}`,
      era: null,
      health: 'starting',
      changedAt: Date.now(),
      counts: COUNTS,
    }
    this.#change({ backends: [...backends, backend] })
    return { added: name, held: null }
  }

  #entry({ name }: Of<'config.backend'>): Commands['config.backend']['response'] {
    const { backends, off, configFile } = this.#status()
    const known = backends.find((each) => each.name === name)
    const entry = ENTRIES[name] ?? { type: known?.type ?? 'http', url: known?.url ?? 'http://127.0.0.1:8001/mcp' }
    const isOff = off.some((each) => each.name === name)
    return {
      name,
      file: configFile ?? '',
      entry: isOff ? { ...entry, disabled: true } : entry,
      off: isOff,
      version: 'v1',
    }
  }

  #edit({ name, newName, entry }: Of<'config.editBackend'>): Commands['config.editBackend']['response'] {
    const parsed = JSON.parse(entry) as JsonObject
    if (parsed.url === 'http://wrong/')
      throw Object.assign(new Error(`mcpServers.${newName}.url is not an http or https URL`), {
        code: 'failed',
        hint: 'write a whole URL, such as "http://127.0.0.1:3000/mcp"',
        problems: [
          { at: ['mcpServers', newName, 'url'], message: 'is not an http or https URL', fix: 'write a whole URL' },
          { at: ['mcpServers', newName, 'heders'], message: 'is not a known key', fix: 'did you mean "headers"?' },
        ],
      })
    const { backends } = this.#status()
    this.#change({ backends: backends.map((each) => (each.name === name ? { ...each, name: newName } : each)) })
    return { name: newName, held: null }
  }

  #turn({ name, on }: Of<'config.turnBackend'>): Commands['config.turnBackend']['response'] {
    const { backends, off } = this.#status()
    const place = backends.findIndex((each) => each.name === name)
    const known = backends[place]
    if (on) {
      const backend: BackendStatus = {
        name,
        type: 'http',
        url: 'http://127.0.0.1:8001/mcp',
        endpoint: `${this.#status().endpoint}/${name}`,
        era: null,
        health: 'starting',
        changedAt: Date.now(),
        counts: COUNTS,
      }
      this.#change({ backends: [...backends, backend], off: off.filter((each) => each.name !== name) })
    } else if (known !== undefined) {
      this.#change({
        backends: backends.filter((each) => each.name !== name),
        off: [...off, { name, type: known.type, place }],
      })
    }
    return { held: null }
  }
}
