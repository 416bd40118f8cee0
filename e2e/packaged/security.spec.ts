import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect } from '../desk'
import { packagedExecutable, SWITCHES } from './packaged-app'
import { test } from './packaged-test'

/** Electron's security checklist (electronjs.org/docs/latest/tutorial/security), point by point, on the packaged app. */
const ON = '1'.charCodeAt(0)
const OFF = '0'.charCodeAt(0)

test('1, 7, 18: the page comes from the app, over its own scheme, under a policy that allows nothing else', async ({
  start,
}) => {
  const { page } = await start()
  const loaded = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[href]')].map((element) =>
      ('src' in element ? element.src : element.href).replace(/^(\w+:\/\/[^/]*).*/, '$1'),
    ),
  )
  expect(new Set(loaded)).toEqual(new Set(['app://desk']))
  const policy = await page.evaluate(async () => {
    const blocked = new Set<string>()
    // Told later, of a frame even by another process.
    const allTold = new Promise<void>((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        blocked.add(effectiveDirective)
        if (['connect-src', 'frame-src', 'script-src-elem'].every((each) => blocked.has(each))) resolve()
      }),
    )
    const longEnough = new Promise((resolve) => setTimeout(resolve, 10_000))
    const inline = document.createElement('script')
    inline.textContent = 'window.inlineRan = true'
    document.head.append(inline)
    for (const source of ['https://example.com/a.js', 'file:///a.js', 'data:text/javascript,0']) {
      const script = document.createElement('script')
      script.src = source
      document.head.append(script)
    }
    const frame = document.createElement('iframe')
    frame.src = 'https://example.com/'
    document.body.append(frame)
    await fetch('https://example.com/').catch(() => undefined)
    await Promise.race([allTold, longEnough])
    frame.remove()
    return { blocked: [...blocked].sort(), ran: 'inlineRan' in window, evaluated: evaluates() }
    function evaluates(): boolean {
      try {
        return new Function('return true')() as boolean
      } catch {
        return false
      }
    }
  })
  expect(policy.ran).toBe(false)
  expect(policy.evaluated).toBe(false)
  expect(policy.blocked).toEqual(expect.arrayContaining(['connect-src', 'frame-src', 'script-src-elem']))
})

test('2, 3, 4, 20: no Node and no Electron in the page, only the one bridge, which cannot be changed', async ({
  start,
}) => {
  const { page } = await start()
  const reach = await page.evaluate(() => {
    const world = window as unknown as Record<string, unknown>
    const bridge = world.sluice as Record<string, unknown>
    try {
      bridge.command = 'changed'
    } catch {
      // A frozen object throws in strict mode.
    }
    const constructor = (bridge.command as () => void).constructor as (code: string) => () => unknown
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global', '__dirname', 'electron'].filter(
        (name) => name in world,
      ),
      bridge: Object.keys(bridge).sort(),
      command: typeof bridge.command,
      // The functions of the bridge are made in the page's own world: no way leads from them to the preload's.
      sameWorld: constructor === (Function as unknown),
    }
  })
  expect(reach.node).toEqual([])
  expect(reach.command).toBe('function')
  expect(reach.sameWorld).toBe(true)
  expect(reach.bridge).toEqual(['command', 'files', 'menu', 'onConnection', 'onFeed', 'openCall'])
})

test('5: permissions are refused', async ({ start }) => {
  const { page } = await start()
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi'] as PermissionName[]
    const found = await Promise.all(names.map((name) => navigator.permissions.query({ name })))
    const media = await navigator.mediaDevices?.getUserMedia({ audio: true }).then(
      () => 'granted',
      () => 'refused',
    )
    return { states: found.map(({ state }) => state), media: media ?? 'refused' }
  })
  expect(states.media).toBe('refused')
  expect(new Set(states.states)).toEqual(new Set(['denied']))
})

test('6, 8, 9, 10: the web’s own security is on, and nothing experimental', async ({ start }) => {
  const { page } = await start()
  const web = await page.evaluate(async () => ({
    secure: isSecureContext,
    // Same-origin policy: the page may not read a file of the machine.
    file: await fetch('file:///etc/hostname').then(
      () => 'read',
      () => 'refused',
    ),
  }))
  expect(web).toEqual({ secure: true, file: 'refused' })
})

test('11, 12: there is no <webview>', async ({ start }) => {
  const { page } = await start()
  const kind = await page.evaluate(() => {
    const view = document.createElement('webview')
    view.setAttribute('src', 'https://example.com/')
    view.setAttribute('allowpopups', '')
    document.body.append(view)
    const found = { constructor: view.constructor.name, frames: window.frames.length }
    view.remove()
    return found
  })
  expect(kind).toEqual({ constructor: 'HTMLElement', frames: 0 })
})

test('13, 14, 15: it navigates nowhere and opens nothing', async ({ start }) => {
  const { page, browser } = await start()
  await expect(page.getByTestId('endpoint').first()).toBeVisible()
  const before = page.url()
  expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true)
  await page.evaluate(() => {
    for (const href of ['https://example.com/', 'file:///etc/passwd', 'mailto:a@example.com', 'javascript:0']) {
      const link = document.createElement('a')
      link.href = href
      link.target = href.startsWith('https') ? '_blank' : ''
      document.body.append(link)
      link.click()
      link.remove()
    }
  })
  // Asked in the page itself: Playwright would wait for the end of navigations that were refused.
  const after = await page.evaluate(() => ({
    url: location.href,
    desk: document.querySelector('[data-testid="endpoint"]') !== null,
  }))
  expect(after).toEqual({ url: before, desk: true })
  expect(browser.contexts().flatMap((context) => context.pages())).toHaveLength(1)
})

test('17: commands of anything but the page’s main frame are refused', async ({ start }) => {
  const { page } = await start()
  // Another frame cannot even be made: the policy forbids every source, and a blank frame has no bridge.
  const bridge = await page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const found = frame.contentWindow !== null && 'sluice' in frame.contentWindow
    frame.remove()
    return found
  })
  expect(bridge).toBe(false)
})

test('19: the fuses are set', async () => {
  const wire = await getCurrentFuseWire(packagedExecutable())
  expect({
    runAsNode: wire[FuseV1Options.RunAsNode],
    cookieEncryption: wire[FuseV1Options.EnableCookieEncryption],
    nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
    asarIntegrity: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
    onlyAsar: wire[FuseV1Options.OnlyLoadAppFromAsar],
    fileProtocol: wire[FuseV1Options.GrantFileProtocolExtraPrivileges],
  }).toEqual({
    runAsNode: OFF,
    cookieEncryption: ON,
    nodeOptions: OFF,
    inspect: OFF,
    asarIntegrity: ON,
    onlyAsar: ON,
    fileProtocol: OFF,
  })
})

test('19: the environment and the command line make no Node of it', async ({ start, folder }) => {
  // With the fuse on, this would print and end at once; so it runs as the desk, until the time is over.
  const asNode = promisify(execFile)(
    packagedExecutable(),
    [...SWITCHES, '-p', '"as node"', '--data', join(folder, 'node')],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      timeout: 4_000,
    },
  )
  const { stdout } = await asNode.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  expect(stdout).not.toContain('as node')

  const injected = join(folder, 'injected.cjs')
  await writeFile(injected, 'console.log("injected")')
  const app = await start({ NODE_OPTIONS: `--require ${injected}` }, ['--inspect=0'])
  await expect(app.page.getByTestId('endpoint').first()).toBeVisible()
  expect(app.output()).not.toContain('injected')
  expect(app.output()).not.toContain('Debugger listening')
})

test('19: a folder beside the archive is not loaded instead of it', async ({ start }) => {
  const folder = join(dirname(packagedExecutable()), 'resources', 'app')
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(join(folder, 'package.json'), '{"name":"other","main":"main.js"}')
    await writeFile(join(folder, 'main.js'), 'console.log("other app"); require("electron").app.exit(3)')
    const app = await start()
    await expect(app.page.getByTestId('endpoint').first()).toBeVisible()
    expect(app.output()).not.toContain('other app')
  } finally {
    await rm(folder, { recursive: true })
  }
})
