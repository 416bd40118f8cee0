import type { Catalog } from './contract'
export function createCatalog(): Catalog {
  return {
    configure: () => undefined,
    list: async () => ({ resultText: '{}', asked: [], missing: [] }),
    discover: async () => ({ resultText: '{}', asked: [], missing: [] }),
    resolve: () => ({ refused: { code: -32602, message: 'x' } }),
    resolveCompletion: async () => ({ refused: { code: -32602, message: 'x' } }),
    entries: () => ({ entries: [], problems: [] }),
    counts: () => ({ tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 }),
    learn: async () => undefined,
    expire: () => undefined,
  }
}
