import { defineConfig } from '@playwright/test'
import type { Carrier } from './e2e/desk'

/** The same specs on both carriers; what only one of them has is in its own folder. */
export default defineConfig<{ carrier: Carrier }>({
  testDir: 'e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  // A shared CI machine can stall for seconds; what passes only then is named in the sum.
  retries: process.env.CI === undefined ? 0 : 1,
  workers: 2,
  projects: [
    { name: 'electron', use: { carrier: 'electron' }, testIgnore: ['e2e/browser/**', 'e2e/packaged/**'] },
    { name: 'browser', use: { carrier: 'browser' }, testIgnore: ['e2e/electron/**', 'e2e/packaged/**'] },
    { name: 'packaged', use: { carrier: 'electron' }, testMatch: 'e2e/packaged/**/*.spec.ts' },
  ],
})
