import boundaries from 'eslint-plugin-boundaries'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

/**
 * Who may import whom (CONTRIBUTING.md, "Borders"). A part may always import itself; what is not listed is refused.
 * `test/lint/borders.test.ts` lints one violation of each border.
 */
const borders = {
  shared: [],
  renderer: ['shared'],
  http1: ['shared'],
  backends: ['shared', 'http1'],
  gateway: ['shared', 'backends'],
  capture: ['shared'],
  config: ['shared'],
  replay: ['shared', 'backends', 'capture'],
  control: ['shared', 'capture', 'config', 'backends', 'gateway', 'replay', 'compose'],
  demo: ['shared'],
  connect: ['shared', 'backends', 'http1'],
  compose: ['shared', 'backends', 'connect', 'config', 'http1'],
  'client-config': ['shared', 'config'],
  composition: [
    'shared',
    'backends',
    'gateway',
    'capture',
    'client-config',
    'compose',
    'config',
    'replay',
    'control',
    'demo',
  ],
  cli: [
    'shared',
    'backends',
    'gateway',
    'capture',
    'config',
    'replay',
    'control',
    'demo',
    'connect',
    'client-config',
    'composition',
  ],
  shell: ['shared', 'capture', 'config', 'control', 'demo', 'composition'],
}
/** These write to the recorder through the interface in `capture/tap.ts`, and know nothing else of it. */
const tapWriters = ['backends', 'gateway']

const folderOf = (part) => (part === 'shared' || part === 'renderer' ? `src/${part}` : `src/main/${part}`)
const toElements = (types) => ({ to: { element: { types: { anyOf: types } } } })

const tests = ['**/*.test.ts', '**/*.test.tsx', 'test/**', 'e2e/**', 'bench/**']

export default tseslint.config(
  { ignores: ['out/', 'release/', 'node_modules/', '.cache/', 'test-results/', 'playwright-report/', 'docs/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strict],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.strict],
    languageOptions: { globals: globals.node },
    rules: { 'no-undef': 'error', eqeqeq: 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: tests,
    plugins: { boundaries },
    settings: {
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js', '.json'] } },
      'boundaries/elements': Object.keys(borders)
        .filter((part) => part !== 'composition')
        .map((part) => ({ type: part, pattern: folderOf(part), partialMatch: false })),
      'boundaries/files': [
        { category: 'tap', pattern: 'src/main/capture/tap.ts' },
        { category: 'composition', pattern: 'src/main/*.ts' },
      ],
    },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/no-unknown-dependencies': 'error',
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          message: 'this part may not import that one (CONTRIBUTING.md, "Borders")',
          policies: [
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
            ...Object.entries(borders)
              .filter(([part]) => part !== 'composition')
              .map(([part, others]) => ({
                from: { element: { type: part } },
                allow: toElements([part, ...others.filter((other) => other !== 'composition')]),
              })),
            { from: { element: { types: { anyOf: tapWriters } } }, allow: { to: { file: { categories: 'tap' } } } },
            { from: { file: { categories: 'composition' } }, allow: toElements(borders.composition) },
            {
              from: [{ element: { types: { anyOf: ['cli', 'shell'] } } }, { file: { categories: 'composition' } }],
              allow: { to: { file: { categories: 'composition' } } },
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/shared/**/*.{ts,tsx}', 'src/renderer/**/*.{ts,tsx}'],
    ignores: tests,
    rules: { 'no-restricted-imports': ['error', forbidden(['electron', 'node'])] },
  },
  {
    files: ['src/main/**/*.ts'],
    ignores: [...tests, 'src/main/shell/**'],
    rules: { 'no-restricted-imports': ['error', forbidden(['electron'])] },
  },
  {
    // Raw IPC lives in two files; everything else goes through the contract in src/shared/api.
    files: ['src/main/shell/**/*.ts'],
    ignores: [...tests, 'src/main/shell/preload.ts', 'src/main/shell/ipc-carrier.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'electron',
              importNames: ['ipcMain', 'ipcRenderer', 'contextBridge'],
              message: 'raw IPC belongs to shell/ipc-carrier.ts and shell/preload.ts',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/shared/**/*.{ts,tsx}'],
    ignores: tests,
    rules: {
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'window', 'document', 'navigator', 'localStorage', 'fetch', 'WebSocket', 'global'].map(
          (name) => ({ name, message: 'src/shared runs in both processes: no Node and no DOM' }),
        ),
      ],
    },
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  { files: tests, rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
)

function forbidden(kinds) {
  const patterns = {
    electron: { regex: '^electron($|/)', message: 'only src/main/shell imports electron' },
    node: {
      regex: `^node:|^(${nodeBuiltins().join('|')})($|/)`,
      message: 'no Node modules here: this code also runs in a browser',
    },
  }
  return { patterns: kinds.map((kind) => patterns[kind]) }
}

function nodeBuiltins() {
  return [
    'fs',
    'path',
    'os',
    'http',
    'https',
    'net',
    'child_process',
    'crypto',
    'stream',
    'util',
    'url',
    'events',
    'worker_threads',
    'buffer',
  ]
}
