import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The desk on invented traffic: `npx vite build -c test/desk-fixture/vite.config.ts && npx vite preview -c test/desk-fixture/vite.config.ts`.
const here = (name: string) => new URL(name, import.meta.url).pathname

export default defineConfig({
  root: here('.'),
  plugins: [react()],
  build: { outDir: here('../../.cache/desk-fixture'), emptyOutDir: true, assetsInlineLimit: 0 },
})
