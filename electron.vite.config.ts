import { chmod, copyFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node20.18',
      rolldownOptions: {
        input: {
          electron: path('src/main/shell/electron.ts'),
          sluice: path('src/main/cli/sluice.ts'),
          // Started by its name, from whichever part opens a capture.
          'index-worker': path('src/main/capture/opened/index-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    plugins: [
      {
        name: 'sluice-executable',
        // npm sets the bit when it links `bin`, but a checkout runs the file in place.
        writeBundle: () => chmod(path('out/main/sluice.js'), 0o755),
      },
      {
        name: 'sluice-icon',
        // For windows and the about box where the system does not take it from the package.
        writeBundle: () => copyFile(path('build/icons/256x256.png'), path('out/main/icon.png')),
      },
    ],
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is one CommonJS file that can require nothing but `electron`.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: path('src/main/shell/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('src/renderer'),
    build: { outDir: path('out/renderer'), rolldownOptions: { input: { index: path('src/renderer/index.html') } } },
    plugins: [react()],
  },
})
