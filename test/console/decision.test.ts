import { expect } from 'vitest';
import { approvedOffer, auditOf, newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newVariant } from '../support/api/actors.ts';
import { succeeded } from '../support/api/api.ts';
import { consoleTest, hiddenFieldsOf, shows, submitLate } from './console-fixture.ts';
// Pages are clients of the API: a decision is made by its route (D139).

const test = consoleTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  .extend('offer', async ({ gateway, parties, reviewer }) => {
    const { id: variant } = await newVariant(gateway);
    const product = { variantId: null, rawProductName: 'Oud <b>50</b>' };
    const id = await submitOffer(parties, product);
    const url = `/console/offers/${id}`;
    return {
      id,
      url,
      variant,
      page: async (query = '') => (await reviewer.open(url + query)).body,
      approve: () => reviewer.submit(`${url}/approve`, { expectedVersion: '1', variant }),
      lastEntry: async () => (await auditOf(gateway.sql, id)).at(-1),
    };
  });

test('approves by the API, under the request id of the page, and opens the next offer', async ({
  reviewer,
  offer: { id, url, variant, page, lastEntry },
}) => {
  const body = await page(`?variant=${variant}`);
  expect(body).toContain('Oud &lt;b&gt;50&lt;/b&gt;');
  const fields = hiddenFieldsOf(body, '/approve');
  expect(fields).toMatchObject({ expectedVersion: '1', variant });
  const answer = await reviewer.submit(`${url}/approve`, fields, { 'x-request-id': 'page-17' });
  const location = `/console/offers/next?done=approve&last=${id}`;
  expect(answer).toMatchObject({ statusCode: 303, headers: { location } });
  expect(await lastEntry()).toMatchObject({ action: 'offer.approve', requestId: 'page-17' });
  expect((await reviewer.open(location)).headers['location']).toMatch(/^\/console\/offers[/?]/);
});

test.for([
  [{ cost: 130, costIsVatInclusive: false }, '100.00 without VAT,130.00 without VAT,120.00,156.00'],
  [{ cost: 100, costIsVatInclusive: true }, '100.00 without VAT,100.00 with VAT,120.00,104.35'],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 25 }, '120.00,125.00,cost + 20 %,cost + 25 %'],
] as const)(
  'returns 409 after a change to %j meanwhile, decides nothing and shows the change',
  async ([change, shown], { parties, reviewer, offer: { id, url, variant, page } }) => {
    const { by, byVendor, vendor } = parties;
    const fields = hiddenFieldsOf(await page(`?variant=${variant}`), '/approve');
    if ('cost' in change) succeeded(await byVendor('PATCH', `/${id}/cost`, change));
    else succeeded(await by('Admin', 'PATCH', `/vendors/${vendor.vendorId}/agreement`, change));
    const answer = await reviewer.submit(`${url}/approve`, fields);
    expect(answer).toMatchObject(shows(409, 'The offer has changed since you opened it.'));
    const [, notice = ''] = /role="alert">(.*?)<\/div>/s.exec(answer.body) ?? [];
    const cells = Array.from(notice.matchAll(/<td[^>]*>\s*<bdi>([^<]*)/g), ([, cell]) => cell);
    expect(cells.join()).toBe(shown);
    expect(hiddenFieldsOf(answer.body, '/approve')).toMatchObject({ expectedVersion: '2' });
  },
);

test('refuses a rejection without a reason, and says so', async ({ reviewer, offer: { url } }) => {
  const answer = await reviewer.submit(`${url}/reject`, { expectedVersion: '1', reason: ' ' });
  expect(answer).toMatchObject(shows(400, /Reason [^<]+<\/bdi>/));
});

test('shows warnings, prices with margin, vendor and other readers', async ({ admin, offer }) => {
  await admin.open(offer.url);
  const body = await offer.page();
  expect(body).toMatch(/chip warn"><bdi>staff-member-[^<]+<\/bdi> opened it 0 minutes ago/);
  expect(body).toMatch(/class="chip warn">\s*No barcode/);
  expect(body).toMatch(/<b><bdi>100\.00<\/bdi><\/b>\s*<span class="muted">without VAT/);
  expect(body).toMatch(/<bdi>120\.00<\/bdi>[\s\S]*<bdi>20\.00<\/bdi>[\s\S]*<bdi>16\.7%<\/bdi>/);
  expect(body).toMatch(/in 90 days \d+ approved, \d+ rejected/);
});

test('marks what the vendor has edited since the approval, beside what was approved', async ({
  parties,
  offer: { id, page, approve },
}) => {
  await approve();
  const edit = { rawProductName: 'Oud Intense', vendorSku: 'NEW-1', barcode: '6291041500213' };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  const body = await page();
  expect(body).toContain('Identity edit');
  expect(body).toMatch(
    /Product<\/th>\s*<td class="">\s*<bdi>Oud &lt;b&gt;50&lt;\/b&gt;<\/bdi><\/td>\s*<td class="changed ">\s*<bdi>Oud Intense/,
  );
  expect(body).toMatch(/Approved ·\s*<bdi>[^<]+<\/bdi>/);
});

test('names an offer without texts by its variant', async ({ gateway, parties, reviewer }) => {
  const { id: variantId } = await newVariant(gateway, { productName: 'Amber Nights' });
  const texts = { rawBrandName: null, rawProductName: null };
  const id = await submitOffer(parties, { variantId, ...texts });
  const { body } = await reviewer.open(`/console/offers/${id}`);
  expect(body).toMatch(/<h1><bdi>[^<]*Amber Nights/);
});

test('offers reasons of earlier rejections, and prefers a written text to a chosen one', async ({
  gateway,
  parties,
  reviewer,
  offer,
}) => {
  const reject = (id: string, reasons: Record<string, string>) =>
    reviewer.submit(`/console/offers/${id}/reject`, { expectedVersion: '1', ...reasons });
  const answer = await reject(offer.id, { recent: 'Chosen "reason".', reason: '' });
  expect(answer.statusCode).toBe(303);
  const other = await submitOffer(parties, { variantId: null });
  const { body } = await reviewer.open(`/console/offers/${other}`);
  expect(body).toMatch(/type="radio" name="recent" value="Chosen &quot;reason&quot;\."/);
  expect(body).toMatch(/Last reasons for a rejection[^<]*<ul[^>]*>\s*<li><bdi>Chosen &quot;reason/);
  await reject(other, { recent: 'Chosen.', reason: 'Written.' });
  const after = { reason: 'Written.' };
  expect((await auditOf(gateway.sql, other)).at(-1)).toMatchObject({ after });
});

const wrong = { reason: 'The match is wrong.' };

test.for([
  ['reject', submitOffer, { status: 'Rejected', ...wrong }],
  ['approve', submitOffer, { status: 'Approved' }],
  ['return-to-review', approvedOffer, { status: 'PendingReview', ...wrong }],
] as const)(
  'opens the next page after a late %s only if the decision is stored',
  async ([action, newOffer, after], { gateway, parties, reviewer }) => {
    const id = await newOffer(parties);
    const url = `/console/offers/${id}`;
    const seen = hiddenFieldsOf((await reviewer.open(url)).body, `/${action}`);
    const form = { ...seen, ...wrong };
    const answer = (first?: () => Promise<unknown>) =>
      submitLate(gateway, `${url}/${action}`, form, reviewer.headers, first);
    expect(await answer()).toMatchObject(shows(504, 'the offer is not decided yet'));
    const decided = await answer(() => reviewer.submit(`${url}/${action}`, form));
    const path = action === 'return-to-review' ? url : '/console/offers/next';
    expect(decided.headers['location']).toBe(`${path}?done=${action}&last=${id}`);
    expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({ after });
  },
);

test('names in a late answer who has decided otherwise', async ({ gateway, admin, offer }) => {
  const form = { expectedVersion: '1', reason: 'No.' };
  const url = `${offer.url}/reject`;
  const answer = await submitLate(gateway, url, form, admin.headers, offer.approve);
  expect(answer).toMatchObject(shows(504, /latest one:\s*Approved · <bdi>staff-member-/));
});
