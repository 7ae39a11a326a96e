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

/** The candidate that is chosen in a page. */
const chosenIn = (page: string): string =>
  /name="variant"\s+value="([^"]+)"[^>]*\schecked/.exec(page)?.[1] ?? '';

test('approves by the API, under the request id of the page, and opens the next offer', async ({
  reviewer,
  offer: { id, url, variant, page, lastEntry },
}) => {
  const body = await page(`?variant=${variant}`);
  expect(body).toContain('Oud &lt;b&gt;50&lt;/b&gt;');
  const fields = { ...hiddenFieldsOf(body, '/approve'), variant: chosenIn(body) };
  expect(fields).toMatchObject({ expectedVersion: '1', variant });
  const response = await reviewer.submit(`${url}/approve`, fields, { 'x-request-id': 'page-17' });
  const location = String(response.headers['location']);
  const query = 'done=approve&last=' + id + '&version=2&decidedAt=';
  expect(location).toContain(`/console/offers/next?${query}`);
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
    const body = await page(`?variant=${variant}`);
    const fields = { ...hiddenFieldsOf(body, '/approve'), variant: chosenIn(body) };
    if ('cost' in change) succeeded(await byVendor('PATCH', `/${id}/cost`, change));
    else succeeded(await by('Admin', 'PATCH', `/vendors/${vendor.vendorId}/agreement`, change));
    const response = await reviewer.submit(`${url}/approve`, fields);
    expect(response).toMatchObject(shows(409, 'The offer has changed since you opened it.'));
    const [, notice = ''] = /role="alert">(.*?)<\/div>/s.exec(response.body) ?? [];
    const cells = Array.from(notice.matchAll(/<td[^>]*>\s*<bdi>([^<]*)/g), ([, cell]) => cell);
    expect(cells.join()).toBe(shown);
    expect(hiddenFieldsOf(response.body, '/approve')).toMatchObject({ expectedVersion: '2' });
  },
);

/** A reason of 4,000 characters, half of them ends of lines. */
const linesOf = (end: string): string => `a${end}`.repeat(2_000).trim() + 'b';

test('counts the end of a line of a reason once', async ({
  reviewer,
  offer: { url, lastEntry },
}) => {
  const response = await reviewer.submit(`${url}/reject`, {
    expectedVersion: '1',
    reason: linesOf('\r\n'),
  });
  expect(response.statusCode).toBe(303);
  expect(await lastEntry()).toMatchObject({ after: { reason: linesOf('\n') } });
});

test('shows warnings, prices with margin, vendor and other readers', async ({ admin, offer }) => {
  await admin.open(offer.url);
  const body = await offer.page();
  expect(body).toMatch(/chip warn"><bdi>staff-member-[^<]+<\/bdi> opened it now/);
  expect(body).toMatch(/class="chip warn">\s*No barcode/);
  expect(body).toMatch(/<b><bdi>100\.00<\/bdi><\/b>\s*<div class="muted">without VAT/);
  expect(body).toMatch(/<bdi>120\.00<\/bdi>[\s\S]*<bdi>20\.00<\/bdi>[\s\S]*<bdi>16\.7%<\/bdi>/);
  expect(body).toMatch(/in 90 days \d+ approved, \d+ rejected/);
});

test('names the duplicates of an offer, and what a customer pays', async ({
  parties,
  reviewer,
  offer,
}) => {
  const shared = { variantId: null, vendorSku: 'TWICE-1' };
  const first = await submitOffer(parties, shared);
  const second = await submitOffer(parties, shared);
  const body = await reviewer.read(`/console/offers/${second}`);
  expect(body).toMatch(
    new RegExp(`href="/console/offers/${first}">\\s*<bdi class="id">TWICE-1</bdi>`),
  );
  expect(body).toMatch(/Customer pays, with VAT<\/th>[\s\S]*<b><bdi>138\.00/);
  expect(await offer.page()).not.toContain('Duplicate of the vendor');
});

test('says by what instant the stock of an offer is as old', async ({
  gateway: { sql },
  parties,
  reviewer,
}) => {
  const id = await approvedOffer(parties);
  const page = () => reviewer.read(`/console/offers/${id}`);
  expect(await page()).toContain('last change: now or earlier');
  await sql`update offers set changed_at = now() - interval '3 days' where id = ${id}`;
  expect(await page()).toContain('last change: 3 days ago or earlier');
  // A price that is staged later changes no stock.
  await sql`
    update supply_options set updated_at = now() - interval '5 days' where offer_id = ${id}`;
  expect(await page()).toContain('last change: 5 days ago or earlier');
});

test('offers no approval of an offer without a price', async ({ parties, offer }) => {
  const sale = { pricingModel: 'PercentageOfSale', commissionPercent: 15 };
  const vendor = `/vendors/${parties.vendor.vendorId}`;
  succeeded(await parties.by('Admin', 'PATCH', `${vendor}/agreement`, sale));
  const body = await offer.page(`?variant=${offer.variant}`);
  expect(body).toContain(`action="${offer.url}/reject"`);
  expect(body).not.toContain(`action="${offer.url}/approve"`);
});

test('marks what the vendor has edited since the approval, beside what was approved', async ({
  parties,
  offer: { id, page, approve },
}) => {
  await approve();
  const edit = { rawProductName: 'Oud Intense', vendorSku: 'NEW-1', barcode: '6291041500213' };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  const body = await page();
  expect(body).toContain('Changed identity');
  expect(body).toMatch(
    /Product\s*<span class="chip warn">differs<\/span>\s*<\/th>\s*<td class="">\s*<bdi>Oud &lt;b&gt;50&lt;\/b&gt;<\/bdi><\/td>\s*<td class="changed">\s*<bdi>Oud Intense/,
  );
  expect(body).toMatch(/Approved ·\s*<bdi>[^<]+<\/bdi>/);
});

test('finds candidates by barcode or SKU, on pages of nine', async ({
  gateway,
  offer: { page },
}) => {
  const brandName = `Brand${crypto.randomUUID().slice(0, 8)}`;
  const [{ sku, id }] = [await newVariant(gateway, { brandName, barcode: '4012345678901' })];
  for (const q of [sku, '٤٠١٢٣٤٥٦٧٨٩٠١']) {
    const body = await page(`?q=${encodeURIComponent(q)}`);
    expect(body).toContain(`name="variant" value="${id}"`);
    expect(body.replaceAll(/<[^>]+>/g, '')).toContain('4012345678901');
  }
  for (let count = 0; count < 9; count += 1) await newVariant(gateway, { brandName });
  const found = async (query: string) =>
    (await page(`?q=${brandName}${query}`)).match(/type="radio" name="variant"/g);
  expect(await found('')).toHaveLength(9);
  expect(await found('&found=2')).toHaveLength(1);
  expect(await page(`?q=${brandName}`)).toContain(`?q=${brandName}&amp;found=2"`);
});

test('keeps the page of an offer whose search for candidates the API refuses', async ({
  offer: { page },
}) => {
  const q = 'a'.repeat(101);
  const body = await page(`?q=${q}`);
  expect(body).toContain(`value="${q}"`);
  expect(body).toMatch(/class="danger">\s*<bdi>[^<]*at most 100 characters/);
  // Of the queue, which the address names.
  expect(await page('?vendorId=nothing')).toContain('<nav class="side"');
});

test('marks only facts that both have and that differ', async ({ gateway, parties, reviewer }) => {
  const { id: variantId } = await newVariant(gateway, { brandName: 'Sahara', sizeMl: 50 });
  const given = { variantId, rawBrandName: 'Dahab', rawSizeMl: null, rawConcentration: null };
  const body = await reviewer.read(`/console/offers/${await submitOffer(parties, given)}`);
  expect(body).toMatch(/Brand\s*<span class="chip warn">differs<\/span>/);
  expect(body).toMatch(/Size\s*<\/th>\s*<td class="muted"><bdi>—<\/bdi><\/td>\s*<td class="">/);
});

test('marks no texts that look the same as different', async ({ gateway, parties, reviewer }) => {
  const { id: variantId } = await newVariant(gateway, { brandName: 'Caf\u00e9 \u0664' });
  const given = { variantId, rawBrandName: '\u200fCafe\u0301\u00a04' };
  const body = await reviewer.read(`/console/offers/${await submitOffer(parties, given)}`);
  // The other candidates, whose tables follow, have other brands.
  const [table] = body.split('<template');
  expect(table).toMatch(/<th scope="row">\s*Brand\s*<\/th>/);
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
  const response = await reject(offer.id, { recent: 'Chosen "reason".', reason: '' });
  expect(response.statusCode).toBe(303);
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
    const sendLate = (first?: () => Promise<unknown>) =>
      submitLate(gateway, `${url}/${action}`, form, reviewer.headers, first);
    expect(await sendLate()).toMatchObject(shows(504, 'the offer is not decided yet'));
    const decided = await sendLate(() => reviewer.submit(`${url}/${action}`, form));
    const path = action === 'return-to-review' ? url : '/console/offers/next';
    expect(decided.headers['location']).toContain(`${path}?done=${action}&last=${id}&version=`);
    expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({ after });
  },
);

test.for(['reject', 'approve', 'suspend', 'pending-price/apply'] as const)(
  'says to an operator whose %s was sent twice that the decision is made',
  async (action, { parties, reviewer }) => {
    const isLive = action === 'suspend' || action === 'pending-price/apply';
    const id = await (isLive ? approvedOffer : submitOffer)(parties);
    const price = { cost: 92, costIsVatInclusive: false };
    if (isLive) succeeded(await parties.byVendor('PATCH', `/${id}/cost`, price));
    const url = `/console/offers/${id}`;
    const page = await reviewer.read(url);
    const seen = hiddenFieldsOf(page, `/${action}`);
    const form = { ...seen, variant: chosenIn(page) || parties.variant.id, reason: 'No invoice.' };
    expect((await reviewer.submit(`${url}/${action}`, form)).statusCode).toBe(303);
    const twice = await reviewer.submit(`${url}/${action}`, form);
    const led = await reviewer.open(String(twice.headers['location']));
    const shown = await reviewer.read(String(led.headers['location']));
    expect(shown).toMatch(/You have decided already[^]*<\/b> · <bdi>staff-member-/);
    expect(shown).not.toContain('decided before you');
  },
);

test('names in a late response who has decided otherwise', async ({ gateway, admin, offer }) => {
  const form = { expectedVersion: '1', reason: 'No.' };
  const url = `${offer.url}/reject`;
  const response = await submitLate(gateway, url, form, admin.headers, offer.approve);
  expect(response).toMatchObject(shows(504, /latest one:\s*Approved · <bdi>staff-member-/));
});

test('takes a decision back on the page after it, and names the prices of each (D162)', async ({
  gateway,
  reviewer,
  parties,
}) => {
  const id = await approvedOffer(parties);
  succeeded(
    await parties.byVendor('PATCH', `/${id}/cost`, { cost: 92, costIsVatInclusive: false }),
  );
  const url = `/console/offers/${id}`;
  const form = hiddenFieldsOf(await reviewer.read(`${url}?at=3`), 'pending-price/apply');
  const applied = await reviewer.submit(`${url}/pending-price/apply`, form);
  const [, query = ''] = String(applied.headers['location']).split('?');
  const after = await reviewer.read(`${url}?${query}`);
  expect(after).toMatch(/Price applied[^]*100\.00 → 92\.00/);
  const undo = hiddenFieldsOf(after, `${id}/undo`);
  const undone = await reviewer.submit(`${url}/undo`, undo);
  expect(undone).toMatchObject({ statusCode: 303 });
  // The position in the queue stays.
  expect(undone.headers['location']).toContain('?at=3&');
  const again = await reviewer.read(String(undone.headers['location']));
  expect(again).toMatch(/Decision taken back[^]*92\.00 → 100\.00/);
  expect(again).toContain('pending-price/apply');
  expect(again).not.toContain(`${id}/undo`);
  expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({ action: 'offer.undo' });
});

test('names no decision on a page that the browser goes back to after a later one', async ({
  reviewer,
  offer: { id, url, page },
}) => {
  const reject = async () => {
    const seen = hiddenFieldsOf(await page(), `${id}/reject`);
    return reviewer.submit(`${url}/reject`, { ...seen, reason: 'No invoice.' });
  };
  await reject();
  const undone = await reviewer.submit(`${url}/undo`, hiddenFieldsOf(await page(), `${id}/undo`));
  const address = String(undone.headers['location']);
  expect(await reviewer.read(address)).toContain('Decision taken back.');
  await reject();
  const again = await reviewer.read(address);
  expect(again).not.toContain('Decision taken back.');
  expect(again).toContain('No invoice.');
});

test('takes back no decision of another operator', async ({ gateway, reviewer, admin, offer }) => {
  const { id, url, page } = offer;
  const reject = async (by: typeof reviewer, reason: string) => {
    const seen = hiddenFieldsOf(await by.read(url), '/reject');
    return by.submit(`${url}/reject`, { ...seen, reason });
  };
  const rejected = await reject(reviewer, 'No invoice.');
  const [, query = ''] = String(rejected.headers['location']).split('?');
  const undo = hiddenFieldsOf(await page(`?${query}`), `${id}/undo`);
  await admin.submit(`${url}/undo`, hiddenFieldsOf(await admin.read(url), `${id}/undo`));
  await reject(admin, 'No photo.');
  const late = await reviewer.submit(`${url}/undo`, undo);
  expect(String(late.headers['location'])).toContain(`overtaken=${id}`);
  const after = { reason: 'No photo.' };
  expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({ action: 'offer.reject', after });
});

test('leads past what another reviewer has open, and says who decided before (D161)', async ({
  gateway,
  reviewer,
  admin,
  parties,
}) => {
  const { vendorId } = parties.vendor;
  const ids = [
    await submitOffer(parties, {}),
    await submitOffer(parties, {}),
    await submitOffer(parties, {}),
  ];
  const next = async (by: typeof reviewer, at = '1') => {
    const response = await by.open(`/console/offers/next?vendorId=${vendorId}&at=${at}`);
    return /offers\/([\da-f-]{36})\?/.exec(String(response.headers['location']))?.[1];
  };
  // Each is led to another one, also when both ask at once.
  const [first, second] = await Promise.all([next(reviewer), next(admin)]);
  expect(first).not.toBe(second);
  expect(ids).toEqual(expect.arrayContaining([first, second]));
  const url = `/console/offers/${first}`;
  const page = await reviewer.read(`${url}?vendorId=${vendorId}&at=1`);
  const late = { ...hiddenFieldsOf(page, '/reject'), reason: 'No.' };
  const reject = { expectedVersion: '1', reason: 'No invoice.' };
  await admin.submit(`${url}/reject`, reject);
  const refused = await reviewer.submit(`${url}/reject`, late);
  expect(String(refused.headers['location'])).toContain(`overtaken=${first}`);
  const led = await reviewer.open(String(refused.headers['location']));
  const shown = await reviewer.read(String(led.headers['location']));
  expect(shown).toMatch(
    /was decided before you[^]*Rejected<\/b> · <bdi>staff-member-[^]*No invoice\./,
  );
  expect(shown).toContain(`href="/console/offers/${first}?vendorId=${vendorId}&amp;at=`);
  expect((await auditOf(gateway.sql, String(first))).length).toBe(1);
});
