import type { Page } from '@playwright/test'
import { META } from '../src/shared/protocol/meta'
import { expect, rowOf, test, TIMING } from './desk'

const LOGS = { [META.logLevel]: 'info' }

test('a call with progress is seen while it runs', async ({ desk, client, workbench }) => {
  let ended = false
  const call = client
    .callTool({ name: 'workbench__stepwise', arguments: { key: 'a' }, _meta: LOGS }, { onprogress: () => undefined })
    .finally(() => (ended = true))

  await rowOf(desk, 'workbench__stepwise').click()
  await expect(desk.getByTestId('commit-flag').first()).toContainText('SSE')
  await expect(desk.getByRole('img', { name: /^client leg: .*progress message/ })).toBeVisible()
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 1' }).first()).toBeVisible()
  expect(ended).toBe(false)
  await expect(desk.getByTestId('end-mark')).toHaveCount(0)
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 2' })).toHaveCount(0)

  workbench.step('a')
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 2' }).first()).toBeVisible()
  expect(ended).toBe(false)

  workbench.step('a')
  workbench.step('a')
  expect(await call).toMatchObject({ content: [{ type: 'text', text: 'stepwise a' }] })
  await expect(desk.getByTestId('end-mark').first()).toBeVisible()
  await expect(rowOf(desk, 'workbench__stepwise').getByTestId('answer-tag')).toHaveText('SSE 200')
})

test('frames are on screen within 100 ms', async ({ desk, client, workbench }) => {
  const steps = 12
  const call = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 'a', steps } },
    { onprogress: () => undefined },
  )
  await rowOf(desk, 'workbench__stepwise').click()
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 1' }).first()).toBeVisible()

  const delays: number[] = []
  for (let step = 2; step <= steps; step++) {
    const seen = seenAt(desk, `"step ${step}"`)
    const released = Date.now()
    workbench.step('a')
    delays.push((await seen) - released)
  }
  workbench.step('a')
  await call
  delays.sort((a, b) => a - b)
  // The median: a machine that is busy with other tests may take its time now and then.
  expect(delays[Math.floor(delays.length / 2)], `delays: ${delays.join(', ')} ms`).toBeLessThan(100)
})

/** The time at which a frame with this text was painted, by the page's clock, which is this machine's. */
function seenAt(desk: Page, text: string): Promise<number> {
  return desk.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const rows = [...document.querySelectorAll('[data-testid="frame-row"]')]
          if (rows.some((row) => row.textContent?.includes(wanted))) resolve(Date.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
    text,
  )
}

test('a silent call streams when its window ends, and is kept alive by pings', async ({ desk, client, workbench }) => {
  const call = client.callTool({ name: 'workbench__silent', arguments: { key: 'a' } })
  await rowOf(desk, 'workbench__silent').click()
  await expect(desk.getByTestId('deferral').first()).toBeVisible()
  await expect(desk.getByTestId('deferral').first()).toContainText(/plain JSON still possible/i)

  await expect(desk.getByTestId('commit-flag').first()).toContainText(/SSE 200.*window/i)
  await expect(desk.getByRole('img', { name: /^client leg: ([3-9]|\d\d+) pings/ })).toBeVisible()
  await expect(desk.getByTestId('end-mark')).toHaveCount(0)

  workbench.step('a')
  await call
  await expect(desk.getByTestId('end-mark').first()).toBeVisible()
})

test('a quick call is plain JSON', async ({ desk, client }) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  const row = rowOf(desk, 'workbench__quick')
  await expect(row.getByTestId('answer-tag')).toHaveText('JSON 200')
  await row.click()
  await expect(desk.getByTestId('commit-flag').first()).toContainText(/JSON 200.*result/i)
  await expect(desk.getByRole('img', { name: /^client leg: 1 result; backend leg \w+: 1 result$/ })).toBeVisible()
})

test('the frames of a call that is over are shown from the first', async ({ desk, client }) => {
  await desk.setViewportSize({ width: 1024, height: 620 })
  await client.callTool({ name: 'faults__progress_backwards' }, { onprogress: () => undefined })
  await expect(rowOf(desk, 'faults__progress_backwards')).toContainText('SSE 200')
  await rowOf(desk, 'faults__progress_backwards').click()
  const frames = desk.getByRole('listbox', { name: 'frames' })
  await expect.poll(() => frames.evaluate((list) => list.scrollHeight - list.clientHeight)).toBeGreaterThan(24)
  await expect(frames.getByTestId('frame-row').first()).toBeInViewport({ ratio: 0.9 })
  expect(await frames.evaluate((list) => list.scrollTop)).toBe(0)
})

const resultLanes = (desk: Page) => desk.getByRole('img', { name: /^client leg: 1 result/ })
const resultTip = (desk: Page) => desk.getByRole('tooltip').filter({ hasText: /^result/ })

/** Goes along the lane of the backend until its answer is under the pointer, at its edge. */
async function findResult(desk: Page): Promise<void> {
  const backendLane = 124
  const box = await resultLanes(desk).boundingBox()
  if (box !== null) await desk.mouse.move(box.x + 2, box.y + 4)
  await expect(resultTip(desk)).toHaveCount(0)
  // The answer is what a call ends with.
  for (let x = (box?.width ?? 0) * 0.6; box !== null && x < box.width; x += 5) {
    await desk.mouse.move(box.x + x, box.y + backendLane)
    // What is under the pointer is drawn before it goes on.
    await desk.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    if (await resultTip(desk).isVisible()) return
  }
  throw new Error('there is no mark on the lane of the backend')
}

test('a mark tells what it is and is chosen by the pointer, zoomed too', async ({ desk, client }) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await rowOf(desk, 'workbench__quick').click()
  const chosen = desk.getByRole('listbox', { name: 'frames' }).locator('[aria-selected=true]')
  await findResult(desk)
  await desk.mouse.down()
  await desk.mouse.up()
  await expect(chosen).toContainText('result')
  await desk.getByRole('button', { name: 'close frame' }).click()
  await expect(chosen).toHaveCount(0)
  await findResult(desk)
  await desk.mouse.wheel(0, -200)
  await expect(desk.getByText('zoomed · 0 fits')).toBeVisible()
  await findResult(desk)
  await desk.mouse.down()
  await desk.mouse.up()
  await expect(chosen).toContainText('result')
})

test('a mark that is zoomed away is not in hand, and lanes that were let go of outside are not dragged', async ({
  desk,
  client,
}) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await rowOf(desk, 'workbench__quick').click()
  await findResult(desk)
  const tip = resultTip(desk)
  for (let turn = 0; turn < 8; turn++) await desk.mouse.wheel(0, -400)
  await expect(desk.getByText('zoomed · 0 fits')).toBeVisible()
  await expect(tip).toHaveCount(0)

  const axis = () => desk.getByRole('group', { name: 'lanes', exact: true }).locator('text').allTextContents()
  const box = await resultLanes(desk).boundingBox()
  if (box === null) throw new Error('there are no lanes')
  await desk.mouse.move(box.x + 200, box.y + 4)
  await desk.mouse.down()
  await desk.mouse.move(box.x + 200, box.y - 60)
  await desk.mouse.up()
  const before = await axis()
  for (const x of [190, 150, 100]) await desk.mouse.move(box.x + x, box.y + 60)
  await desk.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await axis()).toEqual(before)
})

test('an error says its code and message', async ({ desk, client }) => {
  await expect(client.callTool({ name: 'faults__protocol_error' })).rejects.toThrow('the account is closed')
  await rowOf(desk, 'faults__protocol_error').click()
  await expect(desk.getByTestId('commit-flag').first()).toContainText(/JSON 400.*error/i)
  await desk.getByTestId('tab-response').click()
  await expect(desk.getByText('the account is closed').first()).toBeVisible()
  await expect(desk.getByText('-32602').first()).toBeVisible()
})

test('a cancelled call ends by its client, and the backend is told', async ({ desk, client, workbench }) => {
  const controller = new AbortController()
  const call = client.callTool({ name: 'workbench__silent', arguments: { key: 'a' } }, { signal: controller.signal })
  await rowOf(desk, 'workbench__silent').click()
  await expect(desk.getByTestId('deferral').first()).toBeVisible()
  controller.abort()
  await expect(call).rejects.toThrow()
  await workbench.cancelled('a')
  await expect(desk.getByTestId('end-mark').first()).toContainText(/cancelled/i)
})

test('what the client may not receive is shown as withheld', async ({ desk, client, workbench }) => {
  // No log level was asked for, so the SDK's server sends none; progress without a token it does not send either.
  // `faults` has a tool that sends a log message unasked before it dies.
  await expect(client.callTool({ name: 'faults__dies_mid_stream' })).rejects.toThrow()
  await rowOf(desk, 'faults__dies_mid_stream').click()
  await expect(desk.getByTestId('withheld-mark').first()).toBeVisible()
  await expect(desk.getByTestId('end-mark').first()).toBeVisible()
  workbench.step('unused')
})

test(`the window of ${TIMING.deferralWindowMs} ms is counted down`, async ({ desk, client, workbench }) => {
  const call = client.callTool({ name: 'workbench__silent', arguments: { key: 'a' } })
  await rowOf(desk, 'workbench__silent').click()
  const shown = async () => Number(/([\d.]+) s/.exec(await desk.getByTestId('deferral').first().innerText())?.[1])
  const first = await shown()
  expect(first).toBeLessThanOrEqual(TIMING.deferralWindowMs / 1_000)
  await expect.poll(shown).toBeLessThan(first)
  workbench.step('a')
  await call
})
