import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { newParties, submitOffer } from '../../api/offers/offer-record.ts';
import { newOperator } from '../../support/api/actors.ts';
import { succeeded } from '../../support/api/api.ts';
import { browserTest } from '../../support/browser.ts';
import { cookieOf } from './console-test.ts';
/** Live views in a browser, whose clock the test advances. */

/** The time from one read of a live view to the next. */
const intervalMs = 5000;

/** Stops the clock of a page: one that is not paused also follows real time. */
async function pauseClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
}

const test = browserTest
  .extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway))
  /** Opens a page as a new operator, with the clock of the page paused. */
  .extend('openLive', ({ gateway, openPage }) => async (path: string) => {
    const page = await openPage();
    const operator = await newOperator(gateway);
    await page.context().addCookies([await cookieOf(gateway, operator)]);
    await pauseClock(page);
    await page.goto(path);
    return { page, operator };
  });

// The operators of the same roles share what was read for four seconds.
const untilUnshared = { timeout: 20_000, interval: 500 };

/** Advances the clock until a live view has replaced the element. */
async function untilReplaced(page: Page, element: Locator): Promise<void> {
  const shown = await element.elementHandle();
  const isReplaced = async () => {
    await page.clock.runFor(intervalMs);
    return shown?.evaluate(({ isConnected }) => !isConnected);
  };
  await expect.poll(isReplaced, untilUnshared).toBe(true);
}

test('shows new offers, and keeps row, focus and input', async ({ gateway, openLive, parties }) => {
  const id = await submitOffer(parties, { rawProductName: 'First' });
  const { page, operator } = await openLive('/console/offers');
  const later = (text: string) => page.locator('tr[data-row]', { hasText: text });
  const next = async (): Promise<number> => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/console/offers'));
    await page.clock.runFor(intervalMs);
    return (await answered).status();
  };
  // The key of j on an Arabic keyboard.
  await page.locator('body').dispatchEvent('keydown', { key: 'ت', code: 'KeyJ' });
  await submitOffer(parties, { rawProductName: 'Second' });
  expect(await next()).toBe(200);
  await later('Second').waitFor();
  const marked = page.locator('tr[aria-selected=true] a:focus');
  expect(await marked.getAttribute('href')).toContain(id);
  // The operators of the same roles share what was read for four seconds.
  expect([200, 304]).toContain(await next());

  // What the operator chooses or types stays, and so does the rest of the page.
  await submitOffer(parties, { rawProductName: 'Third' });
  const action = page.locator('select[name=action]');
  await action.selectOption('reject');
  await action.blur();
  let reads = 0;
  page.on('request', () => (reads += 1));
  await page.clock.runFor(3 * intervalMs);
  expect(await action.inputValue()).toBe('reject');
  expect(reads).toBe(0);
  await action.selectOption('approve');
  await page.keyboard.press('/');
  await page.keyboard.type('Bra');
  reads = 0;
  await page.clock.runFor(3 * intervalMs);
  expect(await page.inputValue('main input[type=search]')).toBe('Bra');
  expect(reads).toBe(0);

  // A ticked row stays ticked, and the view goes on.
  await page.fill('main input[type=search]', '');
  await page.keyboard.press('Escape');
  await later('Second').locator('[type=checkbox]').check();
  await submitOffer(parties, { rawProductName: 'Fourth' });
  await expect.poll(async () => (await next(), later('Fourth').count()), untilUnshared).toBe(1);
  expect(await later('Second').locator('[type=checkbox]').isChecked()).toBe(true);

  // The view says of when it is, and that the gateway does not answer.
  const status = page.locator('#live');
  expect(await status.textContent()).toMatch(/^As of \d\d:\d\d:\d\d$/);
  await page.context().setOffline(true);
  await page.clock.runFor(intervalMs);
  await page.locator('#live[role=alert]', { hasText: 'No data' }).waitFor();
  await page.context().setOffline(false);
  await page.clock.runFor(intervalMs);
  await page.locator('#live[role=none]').waitFor();

  // The connection may be lost in the middle of a response.
  await page.evaluate(`{
    const { fetch } = window;
    const cut = new ReadableStream({ start: (body) => body.error(new Error('cut')) });
    window.fetch = async () => ((window.fetch = fetch), new Response(cut));
  }`);
  await page.clock.runFor(intervalMs);
  await page.locator('#live[role=alert]', { hasText: 'No data' }).waitFor();
  await page.clock.runFor(intervalMs);
  await page.locator('#live[role=none]').waitFor();

  // A decision does not change under its operator, but says that the connection is lost.
  const decision = await page.context().newPage();
  await pauseClock(decision);
  await decision.goto(`/console/offers/${id}`);
  await page.context().setOffline(true);
  await decision.clock.runFor(15_000);
  await decision.locator('#live[role=alert]', { hasText: 'No data' }).waitFor();
  await page.context().setOffline(false);
  await decision.close();

  // An operator who has left sees the sign-in.
  await gateway.sql`delete from operator_sessions where operator_id = ${operator.id}`;
  await page.clock.runFor(intervalMs);
  await page.locator('[name=operatorSecret]').waitFor();
});

test('keeps the focus at a bar of a plot, and reads the page again', async ({
  openLive,
  parties,
}) => {
  const { page } = await openLive('/console');
  const bars = page.locator('.points input[name=decided]');
  await bars.nth(3).focus();
  // Also checks the bar that it reaches.
  await page.keyboard.press('ArrowRight');
  await submitOffer(parties);
  await untilReplaced(page, bars.nth(4));
  expect(await bars.nth(4).evaluate((each) => each.matches(':focus'))).toBe(true);

  // What opens the figures of a plot keeps the focus too.
  const summaries = page.locator('.plot summary');
  await summaries.nth(1).focus();
  await submitOffer(parties);
  await untilReplaced(page, summaries.nth(1));
  expect(await summaries.nth(1).evaluate((each) => each.matches(':focus'))).toBe(true);
});

test('marks the row at the same position after the marked row has left the list', async ({
  openLive,
  parties,
}) => {
  const given = { variantId: null, rawBrandName: 'A marked row' };
  const ids = [];
  for (const rawProductName of ['One', 'Two', 'Three'])
    ids.push(await submitOffer(parties, { ...given, rawProductName }));
  const { page } = await openLive('/console/offers?brand=A+marked+row');
  for (const _ of [1, 2]) await page.keyboard.press('j');
  succeeded(await parties.byVendor('POST', `/${String(ids[1])}/withdraw`));
  const rows = page.locator('tr[data-row]');
  const count = async () => (await page.clock.runFor(intervalMs), rows.count());
  await expect.poll(count, untilUnshared).toBe(2);
  await page.keyboard.press('j');
  expect(await page.locator('tr[aria-selected=true]').innerText()).toContain('Three');
});

test('says on a decision, beside which something may be typed, that the session has ended', async ({
  gateway,
  openLive,
  parties,
}) => {
  const { page, operator } = await openLive(`/console/offers/${await submitOffer(parties)}`);
  const status = page.locator('#live');
  expect(await status.getAttribute('role')).toBe('none');
  await gateway.sql`delete from operator_sessions where operator_id = ${operator.id}`;
  const later = async () => (await page.clock.runFor(15_000), status.getAttribute('role'));
  await expect.poll(later, untilUnshared).toBe('alert');
  expect(await status.textContent()).toContain('No data');
  await page.locator('#actions').waitFor();
});

test('shows a live view of another operator who has signed in as that one’s page', async ({
  gateway,
  openLive,
}) => {
  const { page } = await openLive('/console/offers');
  const other = await newOperator(gateway);
  await page.context().addCookies([await cookieOf(gateway, other)]);
  await page.clock.runFor(intervalMs);
  await page.locator('.own', { hasText: other.operatorId }).waitFor();
});
