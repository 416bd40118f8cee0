import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    // A shared CI machine can stall for seconds; what passes only at the second try is named (scripts/second-tries.mjs).
    retry: process.env.CI === undefined ? 0 : 1,
    hookTimeout: 20_000,
  },
})
