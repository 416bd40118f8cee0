import type { Commands } from '../../src/shared/api/contract'

/** What every backend offers. */
export const CATALOG: Commands['backend.catalog']['response'] = {
  entries: [
    {
      kind: 'tool',
      name: 'forecast',
      exposedAs: 'weather__forecast',
      title: 'Forecast',
      description: 'A forecast for a city, with progress and logs.',
    },
    { kind: 'tool', name: 'current', exposedAs: 'weather__current', title: 'Current weather' },
    {
      kind: 'tool',
      name: 'pay\u200bout',
      exposedAs: 'weather__pay\u200bout',
      description: 'A name with a hidden character.',
    },
    { kind: 'tool', name: 'region', exposedAs: null, excluded: 'its x-mcp-header annotation "bad name" is no token' },
    { kind: 'prompt', name: 'packing-list', exposedAs: 'weather__packing-list', title: 'What to pack' },
    {
      kind: 'resource',
      name: 'file:///etc/motd',
      exposedAs: null,
      excluded: 'backend "archive" offers the same URI and comes first',
    },
    { kind: 'resource-template', name: 'weather://{city}/now', exposedAs: 'weather://{city}/now' },
  ],
  problems: ['prompts/list took 4.2 s'],
}
