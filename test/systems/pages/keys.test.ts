import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { newParties, optionOf, submitOffer } from '../../api/offers/offer-record.ts';
import { newOperator, newVariant } from '../../support/api/actors.ts';
import { browserTest } from '../../support/browser.ts';
import { cookieOf, leads, unlocked } from './console-test.ts';
/** The keys of the console in a browser: which of them decide, and when (D160). */

const test = browserTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  .extend('offer', async ({ parties }) => {
    const id = await submitOffer(parties, { variantId: parties.variant.id });
    return { id, path: `/console/offers/${id}` };
  })
  .extend('openSignedIn', ({ gateway, openPage }) => async (path: string) => {
    const page = await openPage();
    await page.context().addCookies([await cookieOf(gateway, await newOperator(gateway))]);
    await page.goto(path);
    return page;
  });

/** Dispatches an event at the page as a browser does that fills in forms or composes. */
const dispatch = (page: Page, made: string) =>
  page.evaluate(`(document.activeElement ?? document.body).dispatchEvent(${made})`);
const keydown = (facts: object) =>
  `new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...${JSON.stringify(facts)} })`;
const a = { key: 'a', code: 'KeyA' };

test.for([
  ['a repeated key', keydown({ ...a, repeat: true })],
  ['a key that is composed', keydown({ ...a, isComposing: true })],
  ['a key that an input method takes', keydown({ ...a, keyCode: 229 })],
  ['an empty key', keydown({ key: '', code: 'KeyA' })],
  ['a letter under Caps Lock', keydown({ ...a, shiftKey: true, modifierCapsLock: true })],
  ['an Arabic letter under Caps Lock', keydown({ key: 'ش', code: 'KeyA', modifierCapsLock: true })],
  ['a letter with an accent', keydown({ key: 'á', code: 'KeyA' })],
  ['an Arabic letter without a code', keydown({ key: 'ش', code: '' })],
  ['an event without a key', "new Event('keydown', { bubbles: true })"],
] as const)('decides nothing by %s', async ([, made], { gateway, openSignedIn, offer }) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await dispatch(page, made);
  await page.evaluate("document.dispatchEvent(new Event('keydown'))");
  expect(sent).toEqual([]);
  expect(await optionOf(gateway.sql, offer.id)).toBeUndefined();
  // The key itself decides.
  await leads(page, () => dispatch(page, keydown({ key: 'ش', code: 'KeyA' })));
  await vi.waitFor(async () => expect(await optionOf(gateway.sql, offer.id)).toBeDefined());
});

test('decides by no key and no button until a page has been shown for 400 ms', async ({
  gateway,
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn('/console/offers');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.goto(offer.path);
  await page.clock.runFor(300);
  await page.keyboard.press('a');
  await page.click('button[data-key=a]');
  expect(await page.locator('#locked').innerText()).toBe('The page is loading. Press again.');
  expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
  expect(await optionOf(gateway.sql, offer.id)).toBeUndefined();
  await page.clock.runFor(200);
  expect(await page.locator('main').getAttribute('aria-busy')).toBeNull();
  await leads(page, () => page.keyboard.press('a'));
  expect(await optionOf(gateway.sql, offer.id)).toBeDefined();
});

test('decides by a key only once every key is up that was down as the page appeared', async ({
  gateway,
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await page.keyboard.down('x');
  await page.clock.install();
  await page.clock.runFor(1000);
  await page.keyboard.press('a');
  expect(await page.locator('html[data-locked=loading]').count()).toBe(1);
  await page.keyboard.up('x');
  await unlocked(page);
  await leads(page, () => page.keyboard.press('a'));
  expect(await optionOf(gateway.sql, offer.id)).toBeDefined();
});

test('sends by a held Enter nothing on the page that it leads to', async ({
  gateway,
  openSignedIn,
  parties,
}) => {
  const ids = [await submitOffer(parties), await submitOffer(parties)];
  const page = await openSignedIn(`/console/offers/next?vendorId=${parties.vendor.vendorId}`);
  await unlocked(page);
  await page.locator('button[data-key=a]').focus();
  await leads(page, () => page.keyboard.down('Enter'));
  await page.locator('button[data-key=a]').focus();
  for (let count = 0; count < 5; count += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await unlocked(page);
  const approved = await Promise.all(ids.map((id) => optionOf(gateway.sql, id)));
  expect(approved.filter((option) => option !== undefined)).toHaveLength(1);
});

test('unlocks a page that Back shows again, which a key that was down has left', async ({
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  await page.keyboard.down('x');
  for (const type of ['pagehide', 'pageshow'])
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`);
  // The next page has got the event of the key.
  await unlocked(page);
});

test('locks every form of a page once one is on its way, and says so', async ({
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  // The form stays on its way, because no navigation begins.
  await page.evaluate(`addEventListener('submit', (event) => event.preventDefault())`);
  await page.keyboard.press('a');
  await page.getByText('Sending…').waitFor();
  await page.keyboard.press('r');
  expect(await page.locator('details.reason[open]').count()).toBe(0);
});

test('decides nothing while the page of a link is on its way, unless it is stopped', async ({
  gateway,
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  const network = await page.context().newCDPSession(page);
  const delay = (latency: number) => {
    const to = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 };
    return network.send('Network.emulateNetworkConditions', to);
  };
  await network.send('Network.enable');
  await delay(60_000);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.keyboard.press('n');
  await page.keyboard.press('a');
  await network.send('Page.stopLoading');
  await delay(0);
  await unlocked(page);
  expect(sent).toEqual(['GET']);
  await leads(page, () => page.keyboard.press('a'));
  expect(await optionOf(gateway.sql, offer.id)).toBeDefined();
});

test('sends the candidate that is marked, and shows the offer beside it', async ({
  gateway,
  openSignedIn,
  parties,
}) => {
  const brandName = 'Two candidates';
  await newVariant(gateway, { brandName, productName: 'Left' });
  await newVariant(gateway, { brandName, productName: 'Right' });
  const given = { variantId: null, rawBrandName: brandName };
  const id = await submitOffer(parties, given);
  const page = await openSignedIn(`/console/offers/${id}`);
  await unlocked(page);
  const shown = () => page.locator('.compare:visible').innerText();
  expect(await shown()).not.toMatch(/Left|Right/);
  // Without a choice, the browser asks for one.
  await page.keyboard.press('a');
  expect(await page.locator('input[name=variant]:invalid').count()).toBe(2);
  for (const key of ['1', '2', '1']) {
    await page.keyboard.press(key);
    const marked = page.locator('.candidates li', { has: page.locator(':checked') });
    const name = /Left|Right/.exec(await marked.innerText())?.[0] ?? '';
    expect(await shown()).toContain(name);
  }
  const chosen = await page.locator('[name=variant]:checked').inputValue();
  await leads(page, () => page.keyboard.press('a'));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ variantId: chosen });
});

test.for(['1', '2'])(
  'sends on a slow network candidate %s when its key and the approval follow at once',
  async (key, { gateway, openSignedIn, parties }) => {
    const brandName = `Slow ${key}`;
    await newVariant(gateway, { brandName, productName: 'Left' });
    await newVariant(gateway, { brandName, productName: 'Right' });
    const id = await submitOffer(parties, { variantId: null, rawBrandName: brandName });
    const page = await openSignedIn(`/console/offers/${id}`);
    await unlocked(page);
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 500, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', slow);
    const chosen = await page.locator(`[name=variant][data-key="${key}"]`).inputValue();
    await leads(page, async () => {
      await page.keyboard.press(key);
      await page.keyboard.press('a');
    });
    expect(await optionOf(gateway.sql, id)).toMatchObject({ variantId: chosen });
  },
);

test('leads back from a form that Escape closes to what opened it', async ({
  openSignedIn,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  await page.keyboard.press('r');
  await page.locator('details[open] textarea:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('details:not([open]) summary[data-key=r]:focus').waitFor();
});

test('types a reason beside recent ones, and chooses one by its number', async ({
  openSignedIn,
  parties,
  offer,
}) => {
  const page = await openSignedIn(offer.path);
  await unlocked(page);
  await page.keyboard.press('r');
  await page.keyboard.type('No invoice.');
  await leads(page, () => page.click('details[open] button'));
  await page.goto(`/console/offers/${await submitOffer(parties, { variantId: null })}`);
  await unlocked(page);
  await page.keyboard.press('r');
  await page.locator('details[open] [name=recent]:focus').waitFor();
  await page.keyboard.press('1');
  expect(await page.locator('[name=recent]').isChecked()).toBe(true);
  await dispatch(page, keydown({ key: 'F', code: 'KeyF', modifierCapsLock: true }));
  await page.locator('details[open] textarea:focus').waitFor();
  await page.locator('[name=recent]').focus();
  await page.keyboard.type('Fake bottle, no 1 seal.');
  expect(await page.locator('details[open] textarea').inputValue()).toBe('Fake bottle, no 1 seal.');
});
