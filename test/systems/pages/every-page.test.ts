import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addSubscription } from '../../db/support.ts';
import { newOperator } from '../../support/api/actors.ts';
import { newParties, submitOffer } from '../../api/offers/offer-record.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import { newRecord, pages } from '../../console/every-page.ts';
import { browserTest } from '../../support/browser.ts';
import { actsOn, cookieOf, leads, signInBy, unlocked } from './console-test.ts';
/**
 * Every page of the console: accessible (axe) in light and dark, in English and Arabic, on a desk
 * and on a phone, where nothing scrolls sideways.
 */

const longText = 'مسك أبيض Oud_for_greatness_limited_edition_in_one_word_of_60_letters';

const test = browserTest
  .extend('ids', { scope: 'file' }, ({ gateway }) => newRecord(gateway, longText))
  .extend('cookie', { scope: 'file' }, async ({ gateway }) =>
    cookieOf(gateway, await newOperator(gateway)),
  )
  .extend('openSignedIn', ({ openPage, cookie }) => {
    return async (options?: Parameters<typeof openPage>[0]): Promise<Page> => {
      const page = await openPage(options);
      await page.context().addCookies([cookie]);
      return page;
    };
  });

/**
 * Each width in each colour scheme once, as colours do not differ by language, and each width with
 * every form and fold closed and open.
 */
const windows = {
  en: [
    [1280, 'light', 'closed'],
    [360, 'dark', 'open'],
  ],
  ar: [
    [360, 'light', 'closed'],
    [1280, 'dark', 'open'],
  ],
} as const;
/** Widths at which only the layout differs. */
const otherWidths = [320, 705, 768, 945, 1024, 2560];

/** Once for a page and all that it opens: the source has 580 KB. */
const loadAxe = (page: Page) =>
  page.addInitScript({ path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) });

/**
 * What is wrong on the page: elements that reach beyond the window, except a text that ends with an
 * ellipsis within it, names of rows of which the ellipsis hides the beginning, instants that are
 * not shown whole, paragraphs that end early, and each finding of axe as its rule and its element.
 * With `folds` open, opens every fold, then one form after the other, because a form closes the one
 * before. Of the forms that the rows of a list repeat it opens the first. One script, as each call
 * of the browser costs more than a look at the page.
 */
const faultsOn = (page: Page, folds = 'closed', hasAxe = true): Promise<readonly string[]> =>
  page.evaluate(`(async () => {
    const faults = [];
    const ellipsisOf = (each) => {
      while (each !== null && getComputedStyle(each).textOverflow !== 'ellipsis')
        each = each.parentElement;
      return each;
    };
    const examine = async (part) => {
      for (const each of document.querySelectorAll('body *')) {
        const { left, right, width } = each.getBoundingClientRect();
        const isOut = width > 1 && each.checkVisibility() &&
          (left < -1 || right > document.documentElement.clientWidth + 1);
        if (isOut && ellipsisOf(each.parentElement) === null)
          faults.push('beyond the window: ' + each.outerHTML.slice(0, 100));
      }
      const named = '.rows :is(td, th) > a > bdi, .rows .lead > .muted > bdi';
      for (const each of document.querySelectorAll(named)) {
        if (each.firstChild?.nodeType !== Node.TEXT_NODE) continue;
        // An ellipsis of an element around it stands for the whole of it.
        const isAtomic = getComputedStyle(each).display === 'inline-block';
        if (isAtomic && ellipsisOf(each) !== each) continue;
        const first = document.createRange();
        first.setStart(each.firstChild, 0);
        first.setEnd(each.firstChild, 1);
        const { left, right } = first.getBoundingClientRect();
        const seen = ellipsisOf(each)?.getBoundingClientRect() ?? { left, right };
        if (left < seen.left - 1 || right > seen.right + 1)
          faults.push('begins unseen: ' + each.outerHTML.slice(0, 100));
      }
      // The browser makes one of the end of a paragraph that a block within it has ended before.
      for (const each of document.querySelectorAll('p:not(#locked):empty'))
        faults.push('ends early: ' + each.previousSibling.textContent);
      for (const each of document.querySelectorAll('.rows time')) {
        const { left, right } = each.getBoundingClientRect();
        const seen = ellipsisOf(each)?.getBoundingClientRect() ?? { left, right };
        if (left < seen.left - 1 || right > seen.right + 1)
          faults.push('cut: ' + each.outerHTML.slice(0, 100));
      }
      if (!${hasAxe}) return;
      const rules = { 'target-size': { enabled: true } };
      const { violations } = await axe.run(part, { resultTypes: ['violations'], rules });
      for (const { id, nodes } of violations)
        faults.push(...nodes.map(({ html }) => id + ': ' + html));
    };
    const each = (selector) => [...document.querySelectorAll(selector)];
    if (${folds === 'open'}) each('details:not([name])').forEach((fold) => { fold.open = true; });
    await examine(document);
    if (${folds === 'closed'}) return faults;
    const names = new Set();
    for (const form of each('details[name]')) {
      const name = form.querySelector('summary').textContent;
      if (names.has(name)) continue;
      names.add(name);
      const shown = new Promise((done) => form.addEventListener('toggle', done, { once: true }));
      if (!form.open) {
        form.open = true;
        await shown;
      }
      await examine('details[name][open]');
    }
    return faults;
  })()`);

/** The controls that a printed page shows. What is chosen or ticked says something on paper too. */
const printed = `[...document.querySelectorAll(
  'nav, button, textarea, summary.button, input:not(:checked)')].flatMap((each) =>
    each.checkVisibility() ? ['on paper: ' + each.outerHTML.slice(0, 100)] : [])`;

/** The links of rows that something else covers while they have the focus. */
const covered = `[...document.querySelectorAll('tr[data-row] a')].flatMap((each) => {
  each.focus({ focusVisible: true });
  const { left, top, height } = each.getBoundingClientRect();
  const shown = document.elementFromPoint(left + 2, top + height / 2);
  return each.contains(shown) ? [] : [each.textContent];
})`;

test.for(['en', 'ar'] as const)(
  'shows every page in %s accessibly and within every window size',
  { timeout: 600_000 },
  async (locale, { openPage, cookie, ids }) => {
    const page = await openPage({ locale });
    await loadAxe(page);
    const faults: string[] = [];
    for (const [name, pathOf] of pages) {
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.emulateMedia({ media: 'screen' });
      await page.context().clearCookies();
      if (name !== 'sign-in') await page.context().addCookies([cookie]);
      await page.goto(pathOf(ids));
      const wide = name === 'decision' ? [[3840, 'light', 'closed'] as const] : [];
      for (const [width, colorScheme, folds] of [...wide, ...windows[locale]]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        for (const fault of await faultsOn(page, folds))
          faults.push(`${name}, ${width} px, ${colorScheme}, ${folds}: ${fault}`);
      }
      for (const width of otherWidths) {
        await page.setViewportSize({ width, height: 900 });
        for (const fault of await faultsOn(page, 'open', false))
          faults.push(`${name}, ${width} px: ${fault}`);
      }
      await page.setViewportSize({ width: 718, height: 900 });
      await page.emulateMedia({ media: 'print' });
      const onPaper = await page.evaluate<string[]>(printed);
      for (const fault of [...(await faultsOn(page, 'closed', false)), ...onPaper])
        faults.push(`${name}, printed: ${fault}`);
    }
    expect(faults).toEqual([]);
  },
);

test.for(['en', 'ar'] as const)(
  'shows in %s the keys, a conflict and a kept form accessibly and within a phone screen',
  async (locale, { gateway, openPage, ids: { offerId } }) => {
    const page = await openPage({ locale, viewport: { width: 360, height: 900 } });
    const operator = await newOperator(gateway);
    const faults: string[] = [];
    const examine = async () => faults.push(...(await faultsOn(page)));
    await loadAxe(page);
    await page.context().addCookies([await cookieOf(gateway, operator)]);
    await page.goto(`/console/offers/${offerId}`);
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await examine();
    await page.keyboard.press('Escape');
    await gateway.sql`
      update offers set judged_version = judged_version + 1 where id = ${offerId}`;
    await actsOn(page, true).giveReason('r', longText);
    await page.locator('[role=alert]').waitFor();
    await examine();
    await page.context().clearCookies();
    await unlocked(page);
    await leads(page, () => page.locator('details[open] form button').press('Enter'));
    await signInBy(page, operator);
    await examine();
    expect(faults).toEqual([]);
  },
);

test('reads a decision aloud in order: the offer, its facts, then what one can do', async ({
  openSignedIn,
  ids: { offerId },
}) => {
  const page = await openSignedIn();
  await page.goto(`/console/offers/${offerId}`);
  const read = await page.locator('body').ariaSnapshot();
  const parts = [
    'link "Skip to the actions"',
    'link "Skip to the content"',
    'navigation "Vendor Gateway"',
    'main:',
    'Duplicate No barcode',
    `heading "${longText} product`,
    'heading "Offer beside its variant" [level=2]',
    'columnheader "Offer"',
    'rowheader "Brand"',
    'heading "Price, SAR out of stock · last change:',
    'columnheader "Customer pays, with VAT"',
    'rowheader "Live price"',
    'heading "Candidates" [level=2]',
    'searchbox "Search variants: name, SKU, barcode"',
    'heading "Duplicate of the vendor" [level=2]',
    'heading "Notes of staff" [level=2]',
    'heading "Decisions" [level=2]',
    `group "${longText} product`,
    'group: Reject… r',
    'link "Next n"',
  ];
  const found = read.split('\n').flatMap((line) => parts.find((part) => line.includes(part)) ?? []);
  expect(found).toEqual(parts);
});

test('leads by the first link of a decision to what one can do', async ({
  openSignedIn,
  ids: { offerId },
}) => {
  const page = await openSignedIn();
  await page.goto(`/console/offers/${offerId}`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.locator('#actions :focus').waitFor();
});

test('shows the candidates of an offer in review, and the hints of keys, without scrolling', async ({
  gateway,
  openSignedIn,
}) => {
  const path = `/console/offers/${await submitOffer(await newParties(gateway))}`;
  const page = await openSignedIn({ viewport: { width: 1280, height: 800 } });
  await page.goto(path);
  const box = await page.locator('.candidates').boundingBox();
  expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThan(700);
  for (const width of [360, 640, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.locator('#actions kbd:visible').count(), `${width} px`).toBeGreaterThan(1);
  }
});

test('shows fourteen rows of two lists without scrolling, and none with the focus below the bar', async ({
  gateway,
  openSignedIn,
}) => {
  const parties = await newParties(gateway);
  const { returnIn } = await newReturnFixture(gateway, parties.vendor);
  for (let count = 0; count < 14; count += 1) {
    await submitOffer(parties);
    await returnIn('UnderInspection');
  }
  const page = await openSignedIn({ viewport: { width: 1280, height: 800 } });
  for (const list of ['offers', 'returns']) {
    await page.goto(`/console/${list}?vendorId=${parties.vendor.vendorId}`);
    const last = await page.locator('tr[data-row]').nth(13).boundingBox();
    const end = list === 'offers' ? (await page.locator('#many').boundingBox())?.y : 800;
    expect((last?.y ?? 800) + (last?.height ?? 0), list).toBeLessThanOrEqual(end ?? 0);
  }
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`/console/offers?vendorId=${parties.vendor.vendorId}`);
  expect(await page.evaluate(covered)).toEqual([]);
});

test('shows a title and the entries of the audit log whole', async ({ openSignedIn, ids }) => {
  const page = await openSignedIn({ viewport: { width: 1280, height: 800 } });
  const isCut = `[...document.querySelectorAll('h1, .lead:not(:has(> a))')].flatMap((each) =>
    getComputedStyle(each).overflowX !== 'visible' &&
    (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
      ? [each.textContent] : [])`;
  for (const path of ['/console/audit', `/console/offers/${ids.offerId}`]) {
    await page.goto(path);
    await page.locator('h1').waitFor();
    expect(await page.evaluate(isCut), path).toEqual([]);
  }
});

test.for(['en', 'ar'] as const)(
  'ends the prices of a column at the same edge in %s, so that their digits stand in line',
  async (locale, { gateway, openSignedIn }) => {
    const parties = await newParties(gateway);
    for (const cost of [7, 12_345]) await submitOffer(parties, { cost });
    const page = await openSignedIn({ locale, viewport: { width: 1280, height: 800 } });
    await page.goto(`/console/offers?vendorId=${parties.vendor.vendorId}`);
    const edges = await page.evaluate<number[]>(`[...document.querySelectorAll('td.num bdi')]
      .map((each) => Math.round(each.getBoundingClientRect().right))`);
    expect(edges).toHaveLength(2);
    expect(new Set(edges).size).toBe(1);
  },
);

test.for(['en', 'ar'] as const)(
  'shows in %s as much of the URL of a subscription as its cell has room for',
  async (locale, { gateway, openSignedIn }) => {
    const { vendor } = await newParties(gateway);
    const url = `https://receiver.example/${'integrations/'.repeat(9)}`;
    const id = await addSubscription(gateway.sql, vendor.vendorId);
    await gateway.sql`update webhook_subscriptions set url = ${url} where id = ${id}`;
    const page = await openSignedIn({ locale, viewport: { width: 1280, height: 800 } });
    await page.goto(`/console/webhooks?vendorId=${vendor.vendorId}`);
    const free = await page.evaluate<number>(`(() => {
      const cell = document.querySelector('tr[data-row] .lead');
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return room - cell.querySelector('bdi').getBoundingClientRect().width;
    })()`);
    expect(free).toBeLessThan(1);
  },
);

test('loads less than 60 KB for the first page', async ({ openSignedIn }) => {
  const page = await openSignedIn();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => sizes.push(response.body().then(({ length }) => length)));
  await page.goto('/console', { waitUntil: 'load' });
  const bytes = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  expect(sizes).toHaveLength(3);
  expect(bytes).toBeLessThan(60_000);
});
