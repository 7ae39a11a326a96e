import { expect } from 'vitest';
import { succeeded } from '../../support/api/api.ts';
import {
  approvedOffer,
  auditOf,
  newParties,
  optionOf,
  rowOf,
  submitOffer,
} from '../../api/offers/offer-record.ts';
import { inspectionOutcomes } from '../../../domain/returns/return-status.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newReturnFixture, storedReturn } from '../../api/returns/return-fixture.ts';
import { newOperator, newVariant } from '../../support/api/actors.ts';
import { browserTest } from '../../support/browser.ts';
import { newWebhookFixture } from '../../api/webhooks/webhook-fixture.ts';
import { actsOn, cookieOf, leads, signInBy } from './console-test.ts';
/** The console in a browser, as operators use it: each flow by keys, and without JavaScript. */

const ways = [
  { way: 'by keys', hasKeys: true },
  { way: 'without JavaScript', hasKeys: false },
] as const;

const test = browserTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  /** Opens a page in a browser in which a new operator is signed in. */
  .extend('openSignedIn', ({ gateway, openPage }) => async (hasKeys: boolean, path: string) => {
    const page = await openPage({ javaScriptEnabled: hasKeys });
    const operator = await newOperator(gateway);
    await page.context().addCookies([await cookieOf(gateway, operator)]);
    await page.goto(path);
    return { operator, page, ...actsOn(page, hasKeys) };
  });

test.for(ways)(
  'lets a reviewer sign in and match offers one after the other, $way',
  async ({ way, hasKeys }, { annotate, gateway, openPage, parties }) => {
    const { sql } = gateway;
    const count = hasKeys ? 50 : 3;
    const brandName = `Brand ${way}`;
    const { id: variantId } = await newVariant(gateway, { brandName });
    const given = { variantId: null, rawBrandName: brandName };
    const ids: string[] = [];
    while (ids.length < count) ids.push(await submitOffer(parties, given));
    const page = await openPage({ javaScriptEnabled: hasKeys });
    const { press, follow, openFirst } = actsOn(page, hasKeys);

    await page.goto(`/console/offers?brand=${encodeURIComponent(brandName)}`);
    await signInBy(page, await newOperator(gateway, ['Reviewer']));
    await openFirst();
    const begun = performance.now();
    for (const _ of ids) {
      await press('1');
      await follow('a');
    }
    await page.locator('.notice.good').waitFor();
    await annotate(`${count} offers in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    for (const id of ids) expect(await optionOf(sql, id)).toMatchObject({ variantId });
  },
);

test("shows when an edited offer was approved in the browser's time zone, beside each variant", async ({
  gateway,
  openPage,
  parties,
}) => {
  const id = await approvedOffer(parties);
  succeeded(await parties.byVendor('PATCH', `/${id}`, { rawProductName: 'Oud Intense' }));
  const page = await openPage({ timezoneId: 'Asia/Tokyo' });
  await page.context().addCookies([await cookieOf(gateway, await newOperator(gateway))]);
  await page.goto(`/console/offers/${id}`);
  const approved = page.locator('#beside time');
  const shown = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
  const at = new Date((await approved.getAttribute('datetime')) ?? '');
  expect(await approved.textContent()).toBe(new Intl.DateTimeFormat('en-GB', shown).format(at));
});

test.for(ways)(
  'tells the figures of each point of a plot by the keys of the arrows, $way',
  async ({ hasKeys }, { openSignedIn }) => {
    const { page } = await openSignedIn(hasKeys, '/console');
    const figures = page.locator('.plot label:focus-within span');
    await page.locator('.plot').first().locator('input').first().focus();
    await page.keyboard.press('ArrowRight');
    const first = await figures.textContent();
    expect(first).toMatch(/^\d+ \w+: \d+$/);
    await page.keyboard.press('ArrowRight');
    expect(await figures.textContent()).not.toBe(first);
    const opacity = "getComputedStyle(document.querySelector('label:focus-within span')).opacity";
    expect(await page.evaluate(opacity)).toBe('1');
  },
);

test.for(['en', 'ar'].flatMap((locale) => ways.map((each) => ({ ...each, locale }))))(
  'finds the 110th vendor by name in each filter and for a shipment, $way, in $locale',
  async ({ hasKeys, locale }, { gateway, openPage }) => {
    const { sql } = gateway;
    const name = `مورد العطور ${crypto.randomUUID()}`;
    await sql`
      insert into vendors (id, name, pricing_model, rate_basis_points)
      select uuidv7(), 'Filler ' || n, 'CostPlusMargin', 2000 from generate_series(1, 109) as n
      union all select uuidv7(), ${name}, 'CostPlusMargin', 2000`;
    const { take } = await newOrderFixture(gateway);
    const { orderGlobalId } = await take({ sourcing: true });
    const page = await openPage({ locale, javaScriptEnabled: hasKeys });
    await page.context().addCookies([await cookieOf(gateway, await newOperator(gateway))]);
    const vendors = page.locator('select[name=vendorId]');
    const choose = async (list: string): Promise<void> => {
      await page.goto(`/console/${list}`);
      await page.fill('[name=vendorName]', name.replace('العطور', 'عطور'));
      await leads(page, () => page.locator('[name=vendorName]').press('Enter'));
      await vendors.selectOption({ label: name });
      await leads(page, () => page.locator('form:has([name=vendorId]) button').first().click());
    };
    for (const list of ['all-offers', 'orders', 'returns', 'webhooks', 'webhooks/deliveries']) {
      await choose(list);
      expect(await vendors.locator('option:checked').textContent(), list).toBe(name);
    }
    await choose(`orders/${orderGlobalId}`);
    expect(await page.locator('h2').first().textContent()).toContain(name);
  },
);

test('lets two reviewers share a queue, and loses none of their decisions', async ({
  annotate,
  gateway,
  openPage,
  parties,
}) => {
  const count = 50;
  const brandName = 'Brand of two reviewers';
  const { id: variantId } = await newVariant(gateway, { brandName });
  const given = { variantId: null, rawBrandName: brandName };
  for (let made = 0; made < count; made += 1) await submitOffer(parties, given);
  const decided: number[] = [];
  let overtaken = 0;
  const review = async (): Promise<void> => {
    const page = await openPage();
    const operator = await newOperator(gateway, ['Reviewer']);
    await page.context().addCookies([await cookieOf(gateway, operator)]);
    const { press, follow } = actsOn(page, true);
    await page.goto(`/console/offers/next?brand=${encodeURIComponent(brandName)}&at=1`);
    let own = 0;
    for (; await page.locator('[data-key="a"]').isVisible(); own += 1) {
      // The last offer is shown to both, and says who has opened it.
      if (decided.length === 0 && (await page.getByText('opened it').isVisible())) break;
      await press('1');
      await follow('a');
      if (await page.getByText('It was decided before you').isVisible()) overtaken += 1;
    }
    decided.push(own);
  };
  await Promise.all([review(), review()]);
  await annotate(`decided ${decided.join(' and ')}, lost ${overtaken}`);
  expect(overtaken).toBe(0);
  const [row] = await gateway.sql<[{ approvals: number; offers: number }]>`
    select count(*)::int as approvals, count(distinct subject_id)::int as offers from audit_log
    join offers on offers.id = subject_id
    where action = 'offer.approve' and variant_id = ${variantId}`;
  expect(row).toEqual({ approvals: count, offers: count });
});

test.for(ways)(
  'lets a reviewer return an offer, correct its match and approve it, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const right = await newVariant(gateway, { productName: 'Right' });
    const id = await approvedOffer(parties);
    const { page, press, follow, giveReason } = await openSignedIn(
      hasKeys,
      `/console/offers/${id}`,
    );
    await giveReason('b', 'Another variant.');
    await page.fill('input[name=q]', right.sku);
    await page.locator('input[name=q]').press('Enter');
    await page.getByText('Right').first().waitFor();
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await press('1');
    await follow('a');
    expect(await optionOf(gateway.sql, id)).toMatchObject({ variantId: right.id });
  },
);

test.for(ways)(
  'shows the form that was opened last, and no other, $way',
  async ({ hasKeys }, { openSignedIn, parties }) => {
    const id = await approvedOffer(parties);
    const { page } = await openSignedIn(hasKeys, `/console/offers/${id}`);
    const shown = page.locator('#actions details form:visible');
    for (const action of ['suspend', 'return-to-review', 'suspend']) {
      const path = `/console/offers/${id}/${action}`;
      await page.click(`details:has([action="${path}"]) summary`);
      const actions = (await shown.all()).map((form) => form.getAttribute('action'));
      expect(await Promise.all(actions)).toEqual([path]);
    }
  },
);

test.for(ways)(
  'shows a price that the vendor edits meanwhile field by field, and applies it, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const id = await approvedOffer(parties);
    const push = async (cost: number) =>
      succeeded(
        await parties.byVendor('PATCH', `/${id}/cost`, { cost, costIsVatInclusive: false }),
      );
    await push(150);
    const { page, follow } = await openSignedIn(hasKeys, `/console/offers/${id}`);
    await push(160);
    await follow('p');
    expect(await page.locator('.notice.bad tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/150\.00 without VAT\s+160\.00 without VAT$/),
      expect.stringMatching(/180\.00\s+192\.00$/),
    ]);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ costNet: 10_000 });
    await follow('p');
    expect(await rowOf(gateway.sql, id)).toMatchObject({ costNet: 16_000 });
  },
);

test.for(ways)(
  'shows the second of two reviewers of one offer what the first has done, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const id = await submitOffer(parties);
    const one = await openSignedIn(hasKeys, `/console/offers/${id}`);
    const other = await openSignedIn(hasKeys, `/console/offers/${id}`);
    await one.giveReason('r', 'No invoice.');
    await other.follow('a');
    // What the form has done has the focus.
    await other.page.locator('.result:focus').waitFor();
    const shown = await other.page.locator('main').innerText();
    expect(shown).toMatch(/^It was decided before[^]*Rejected[^]*No invoice\./);
    expect(await optionOf(gateway.sql, id)).toBeUndefined();
  },
);

test.for(ways)(
  'keeps the candidate that is chosen while a note is added, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const other = await newVariant(gateway);
    const id = await submitOffer(parties, { variantId: parties.variant.id });
    const path = `/console/offers/${id}?q=${other.sku}`;
    const { page, press, follow } = await openSignedIn(hasKeys, path);
    await press('1');
    expect(await page.locator('[name=variant]:checked').inputValue()).toBe(other.id);
    await page.click('details:has([name=note]) summary');
    await page.fill('[name=note]', 'The vendor has confirmed the size.');
    await leads(page, () => page.locator('form:has([name=note]) button').click());
    await page.getByText('The vendor has confirmed the size.').waitFor();
    await follow('a');
    expect(await optionOf(gateway.sql, id)).toMatchObject({ variantId: other.id });
  },
);

test.for(ways)(
  'sends a form only as the operator whose page it is of, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const id = await submitOffer(parties);
    const { operator, page, giveReason } = await openSignedIn(hasKeys, `/console/offers/${id}`);
    const tab = await page.context().newPage();
    await tab.goto('/console/sign-in');
    const other = await newOperator(gateway);
    await signInBy(tab, other);
    await giveReason('r', 'No invoice.');
    await page.getByText(`Nothing has changed`).waitFor();
    expect(await page.locator('[role=alert]').innerText()).toContain(other.operatorId);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'PendingReview' });
    await signInBy(page, operator);
    await leads(page, () => page.locator('button.primary').press('Enter'));
    expect(await auditOf(gateway.sql, id)).toMatchObject([
      { operatorId: operator.id, after: { reason: 'No invoice.' } },
    ]);
  },
);

test.for(ways)(
  'lets staff decide five returns, $way',
  async ({ hasKeys }, { gateway, openSignedIn }) => {
    const { returnIn } = await newReturnFixture(gateway);
    const ids: string[] = [];
    while (ids.length < 5) ids.push(await returnIn('UnderInspection'));
    const path = '/console/returns?status=UnderInspection';
    const { page, giveReason, openFirst } = await openSignedIn(hasKeys, path);
    const decided: unknown[] = [];
    for (const key of ['1', '2', '3', '1', '2']) {
      await page.goto(path);
      await openFirst();
      await giveReason(key, 'As the photo shows.');
      decided.push(inspectionOutcomes[Number(key) - 1]);
    }
    const stored = await Promise.all(ids.map((id) => storedReturn(gateway, id)));
    expect(stored.map(({ outcome }) => outcome)).toEqual(decided);
  },
);

test.for(ways)(
  'recovers the dead letters of a receiver, $way',
  async ({ hasKeys }, { gateway, openSignedIn }) => {
    const hooks = await newWebhookFixture(gateway);
    const id = await hooks.subscribe();
    const dead = [
      await hooks.delivered(id, 'deadLettered'),
      await hooks.delivered(id, 'deadLettered'),
    ];
    const path = `/console/webhooks?vendorId=${hooks.vendor.vendorId}`;
    const { page, openFirst } = await openSignedIn(hasKeys, path);
    await openFirst();
    await page.locator('[name=since]').fill('2026-01-01T00:00');
    await leads(page, () => page.locator('[name=since]').press('Enter'));
    await page.getByText('Dead letters that are delivered again: 2.').waitFor();
    for (const { deliveryId } of dead)
      expect(await hooks.storedDelivery(deliveryId)).toMatchObject({ state: 'waiting' });
  },
);

test.for(ways)(
  'lets an Admin switch an agreement after a preview, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    await approvedOffer(parties);
    const { vendorId } = parties.vendor;
    const { page } = await openSignedIn(hasKeys, `/console/vendors/${vendorId}`);
    await page.locator('details:has(select[name=pricingModel]) summary').press('Enter');
    await page.locator('select[name=pricingModel]').selectOption('PercentageOfSale');
    await page.locator('[name=percent]').fill('15');
    await leads(page, () => page.locator('[name=percent]').press('Enter'));
    await page.locator('[name=confirmation]').fill('1');
    await leads(page, () => page.locator('[name=confirmation]').press('Enter'));
    await page.getByText('Offers to reprice: 1.').waitFor();
    const [vendor] = await gateway.sql`select pricing_model from vendors where id = ${vendorId}`;
    expect(vendor).toEqual({ pricingModel: 'PercentageOfSale' });
  },
);

test.for(ways)(
  'sends a form after a new sign-in when its session had ended, $way',
  async ({ hasKeys }, { gateway, openSignedIn, parties }) => {
    const id = await submitOffer(parties);
    const path = `/console/offers/${id}`;
    const { operator, page, giveReason } = await openSignedIn(hasKeys, path);
    const other = await page.context().newPage();
    await other.goto('/console');
    const form = '[action="/console/sign-out-everywhere"]';
    await other.click(`details:has(${form}) summary`);
    await leads(other, () => other.click(`${form} button`));
    await giveReason('r', 'No invoice.');
    await signInBy(page, operator);
    expect(await page.locator('[name=reason]').inputValue()).toBe('No invoice.');
    await leads(page, () => page.locator('button.primary').press('Enter'));
    expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Rejected' });
  },
);
