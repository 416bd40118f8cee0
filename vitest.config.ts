import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@shared': fileURLToPath(new URL('./src/shared', import.meta.url)) } },
  test: { include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 20_000 },
})
