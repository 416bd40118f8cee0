import { join } from 'node:path'
import { expect, root, test } from '../desk'

test('the page has no Node, no Electron, and one bridge', async ({ desk }) => {
  const reach = await desk.evaluate(() => ({
    require: typeof (window as { require?: unknown }).require,
    process: typeof (window as { process?: unknown }).process,
    module: typeof (window as { module?: unknown }).module,
    electron: typeof (window as { electron?: unknown }).electron,
    bridge: Object.keys((window as { sluice?: object }).sluice ?? {}).sort(),
    origin: location.origin,
  }))
  expect(reach).toEqual({
    require: 'undefined',
    process: 'undefined',
    module: 'undefined',
    electron: 'undefined',
    bridge: ['command', 'files', 'menu', 'onConnection', 'onFeed', 'openCall'],
    origin: 'app://desk',
  })
})

test('the window is sandboxed and isolated', async ({ electronApp }) => {
  const preferences = await electronApp.evaluate(({ BrowserWindow }) => {
    // Not in the types, but what was really applied.
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>
    }
    const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences()
    return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag }
  })
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  })
})

test.describe('what the page tries', () => {
  test.use({ provoked: /Content Security Policy|Not allowed to (load|navigate)/ })

  test('the policy allows the page itself and nothing else', async ({ desk }) => {
    // `connect-src 'none'` refuses even the page's own address.
    const fetched = await desk.evaluate(() =>
      fetch(location.href).then(
        () => 'fetched',
        (error: unknown) => String(error),
      ),
    )
    expect(fetched).toContain('Failed to fetch')

    const ran = await desk.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.inlineRan = true'
      document.head.append(script)
      return (window as { inlineRan?: boolean }).inlineRan ?? false
    })
    expect(ran).toBe(false)
  })

  test('it goes nowhere and opens nothing', async ({ desk, electronApp }) => {
    const before = desk.url()
    expect(await desk.evaluate(() => window.open('https://example.com/') === null)).toBe(true)
    for (const address of ['https://example.com/', 'file:///etc/passwd', 'data:text/html,elsewhere']) {
      await desk.evaluate((href) => {
        const link = document.createElement('a')
        link.href = href
        document.body.append(link)
        link.click()
        link.remove()
      }, address)
    }
    // Asked of the main process: Playwright itself would wait for a navigation that was begun and refused.
    const windows = () =>
      electronApp.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map(({ webContents }) => [
          webContents.getURL(),
          webContents.isLoadingMainFrame(),
        ]),
      )
    await expect.poll(windows).toEqual([[before, false]])
    expect(await electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })
})

test('it is refused every permission but writing to the clipboard', async ({ desk }) => {
  const answers = await desk.evaluate(async () => {
    const names = ['geolocation', 'camera', 'microphone', 'notifications', 'clipboard-read']
    const states = await Promise.all(
      names.map((name) => navigator.permissions.query({ name: name as PermissionName }).then((status) => status.state)),
    )
    return Object.fromEntries(names.map((name, index) => [name, states[index]]))
  })
  expect(answers).toEqual({
    geolocation: 'denied',
    camera: 'denied',
    microphone: 'denied',
    notifications: 'denied',
    'clipboard-read': 'denied',
  })
})

test('commands of a foreign page are refused', async ({ electronApp, desk }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  const preload = join(root, 'out', 'preload', 'preload.cjs')
  const answer = await electronApp.evaluate(async ({ BrowserWindow, session }, script) => {
    // A session of its own, so that the app's request filter does not keep the page from loading at all.
    const foreign = new BrowserWindow({
      show: false,
      webPreferences: { preload: script, sandbox: true, session: session.fromPartition('foreign') },
    })
    try {
      await foreign.loadURL('data:text/html,<title>foreign</title>')
      return (await foreign.webContents.executeJavaScript(
        `window.sluice.command('desk.status', {}).then((value) => ({ value }), (error) => ({ error }))`,
      )) as { value?: unknown; error?: { code?: string } }
    } finally {
      foreign.destroy()
    }
  }, preload)
  expect(answer.value).toBeUndefined()
  expect(answer.error?.code).toBe('unauthorized')
})

test('files outside the bundle are not served', async ({ electronApp }) => {
  const answers = await electronApp.evaluate(async ({ net }) => {
    const urls = [
      'app://desk/..%2f..%2fpackage.json',
      'app://desk/%2e%2e/%2e%2e/package.json',
      'app://other/index.html',
    ]
    return Promise.all(urls.map((url) => net.fetch(url).then((response) => response.status)))
  })
  expect(answers).toEqual([404, 404, 404])
})
