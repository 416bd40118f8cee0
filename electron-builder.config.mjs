/** Packages for the three systems. `npm run package` calls electron-builder with it (CONTRIBUTING.md, "Packages"). */
// Only builds of a repository's own workflow know where their updates come from.
const [owner, repo] = (process.env.GITHUB_REPOSITORY ?? '').split('/')

export default {
  appId: 'io.github.sluice-mcp.sluice',
  productName: 'Sluice',
  copyright: 'MIT licence',
  directories: { output: 'release', buildResources: 'build' },
  files: ['out/**', 'package.json', 'LICENSE', '!**/*.map', '!**/node_modules/**/*.{ts,md,map}'],
  asar: true,
  asarUnpack: ['out/main/icon.png'],
  // Nothing of the dependencies is native.
  npmRebuild: false,
  // 19 of Electron's security checklist.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  protocols: [{ name: 'Sluice', schemes: ['sluice'] }],
  fileAssociations: [
    { ext: 'sluice', name: 'Sluice capture', mimeType: 'application/vnd.sluice.capture+ndjson', role: 'Viewer' },
  ],
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    executableName: 'sluice-desk',
    // By the name in package.json the system knows whose windows, badges and notifications they are.
    syncDesktopName: true,
    icon: 'build/icons',
    maintainer: 'Sluice <sluice@localhost>',
    synopsis: 'Inspecting proxy for the Model Context Protocol',
  },
  mac: { target: ['dmg'], category: 'public.app-category.developer-tools', hardenedRuntime: true },
  win: { target: ['nsis'] },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  publish: owner && repo ? [{ provider: 'github', owner, repo }] : null,
}
