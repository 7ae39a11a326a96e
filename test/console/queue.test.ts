import { expect } from 'vitest';
import { succeeded } from '../support/api/api.ts';
import { approvedOffer, newParties, submitOffer } from '../api/offers/offer-record.ts';
import { runReviewJob } from '../api/jobs/job-fixture.ts';
import { newVariant } from '../support/api/actors.ts';
import { consoleTest, hiddenFieldsOf, shows } from './console-fixture.ts';

// The queue, and decisions on many of its offers (D102, D139).

const test = consoleTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  .extend('open', ({ reviewer }) => async (path: string, query: Record<string, string> = {}) => {
    const { body } = await reviewer.open(`${path}?${String(new URLSearchParams(query))}`);
    return body;
  })
  /** Submits an offer without a match, unless `given` has one. */
  .extend(
    'offer',
    ({ parties }) =>
      (given: Record<string, unknown>) =>
        submitOffer(parties, { variantId: null, ...given }),
  );

const queue = '/console/offers';
const many = '/console/offers/many';

test('leads from a page after the last one, which others may have emptied, to the last one', async ({
  parties,
  open,
  offer,
}) => {
  await offer({});
  const page = await open(queue, { vendorId: parties.vendor.vendorId, page: '3' });
  expect(page).not.toContain('No offer waits');
  expect(page).toMatch(/href="[^"]*page=1">Previous/);
  expect(page).not.toContain('3 of 1');
});

test('opens in turn an offer of the next vendor after each decision', async ({
  gateway,
  reviewer,
}) => {
  const rawBrandName = `Turn ${crypto.randomUUID()}`;
  const vendors = new Map<string, string>();
  // The offers of the first vendor have waited longest.
  for (const name of ['many', 'few']) {
    const parties = await newParties(gateway);
    for (const _ of name === 'many' ? [1, 2, 3] : [1, 2])
      vendors.set(await submitOffer(parties, { rawBrandName, variantId: null }), name);
  }
  const query = { order: 'vendorsInTurn', brand: rawBrandName };
  let next = `${queue}/next?${String(new URLSearchParams(query))}`;
  const opened: unknown[] = [];
  for (const _ of vendors.keys()) {
    const to = String((await reviewer.open(next)).headers['location']);
    const id = /offers\/([\da-f-]{36})/.exec(to)?.[1] ?? '';
    opened.push(vendors.get(id));
    const form = hiddenFieldsOf(await reviewer.read(to), '/reject');
    const rejected = await reviewer.submit(`${queue}/${id}/reject`, { ...form, reason: 'No.' });
    next = String(rejected.headers['location']);
  }
  expect(opened).toEqual(['many', 'few', 'many', 'few', 'many']);
});

test('shows kind, vendor and warnings by the API, and filters by them', async ({
  gateway,
  parties,
  open,
  offer,
}) => {
  const { id: variantId } = await newVariant(gateway, { productName: 'Amber Nights' });
  const barcode = '4006381333931';
  await offer({ rawProductName: 'Oud Royal', vendorExternalId: 'ext-77' });
  const texts = { rawBrandName: null, rawProductName: null };
  const matched = await offer({ variantId, barcode, ...texts });
  await gateway.sql`
    update offers set awaiting_since = awaiting_since - interval '2 days' where id = ${matched}`;
  const { vendorId } = parties.vendor;
  const all = await open(queue, { vendorId });
  expect(all).toMatch(/Oud Royal[\s\S]*>Match<[\s\S]*chip warn">No barcode/);
  expect(all).toMatch(/name="age" >[\s\S]*>Up to a day \(1\)<[\s\S]*>1 to 3 days \(1\)</);
  // Two days are the target.
  expect(all).toMatch(
    /chip warn">2 days · late[^]*Longer than the target \(1\)|Longer than the target \(1\)[^]*chip warn">2 days · late/,
  );
  expect(await open(queue, { vendorId, overTarget: 'true' })).not.toContain('Oud Royal');
  // An offer without texts of its own has the texts of its match.
  expect(all).toContain('Amber Nights');
  for (const [filter, shown] of [
    [{ kind: 'Match' }, 'Oud Royal'],
    [{ flag: 'NoBarcode' }, 'Oud Royal'],
    [{ text: 'ext-77' }, 'Oud Royal'],
    [{ text: barcode }, 'Amber Nights'],
    [{ age: 'UpToThreeDays' }, 'Amber Nights'],
    [{ kind: 'Review' }, 'Amber Nights'],
  ] as const) {
    const body = await open(queue, { vendorId, ...filter });
    const names = body.matchAll(/<bdi>[^<]*(Oud Royal|Amber Nights)/g);
    expect(Array.from(names, ([, name]) => name)).toEqual([shown]);
  }
});

const ticked = (...ids: string[]) => ids.map((id): [string, string] => ['ticked', id]);

test('previews a selection, leaves out what would be refused, and starts a job', async ({
  gateway,
  reviewer,
  parties: { variant, vendor },
  open,
  offer,
}) => {
  const { id: variantId } = variant;
  const [matched, other, free] = [
    await offer({ variantId, rawProductName: 'One' }),
    await offer({ variantId, rawProductName: 'Two' }),
    await offer({ rawProductName: 'Three' }),
  ];
  const query = new URLSearchParams({ vendorId: vendor.vendorId, action: 'approve' });
  for (const id of [matched, other, free]) query.append('offer', id);
  const { body } = await reviewer.open(`${many}?${String(query)}`);
  expect(body).toContain('<h1><bdi>Approve: 2</bdi></h1>');
  expect(body).toMatch(/Three[\s\S]*It has no variant yet\./);
  const fields: Record<string, string> = { ...hiddenFieldsOf(body, many), start: 'true' };
  const send = (count: string, ...ids: string[]) =>
    reviewer.submit(many, [...Object.entries({ ...fields, count }), ...ticked(...ids)]);
  const wrong = await send('3', matched, other);
  expect(wrong).toMatchObject(shows(400, 'Nothing was decided: 2 had to be typed.'));
  expect(hiddenFieldsOf(wrong.body, many)).toMatchObject({ items: fields['items'] });
  // One without its tick is left out.
  const without = await send('9', other);
  expect(without).toMatchObject(shows(400, 'Nothing was decided: 1 had to be typed.'));
  expect(hiddenFieldsOf(without.body, many)['items']).toMatch(new RegExp(`^${other}\\.\\d+$`));
  const started = await send('\u200f٢', matched, other);
  const job = String(started.headers['location']);
  expect(job).toMatch(/^\/console\/review-jobs\/[\da-f-]{36}$/);
  // The page that asks for a confirmation is no live view.
  const asking = await open(job, { cancel: 'true' });
  expect(asking).toContain(`action="${job}/cancel"`);
  expect(asking).not.toContain('data-live');
  const waiting = await open(job);
  expect(waiting).not.toContain('/cancel"');
  expect(waiting).toContain('data-live');
  // Without JavaScript a link loads the page again.
  expect(waiting).toMatch(new RegExp(`<div id="live"[^>]*>\\s*<a href="${job}">Load again</a>`));
  expect(waiting).toMatch(/<progress\s+value="0"\s+max="2"/);
  // One of them changes after the preview.
  await gateway.sql`update offers set judged_version = judged_version + 1 where id = ${other}`;
  await runReviewJob(gateway, job.split('/').at(-1) ?? '');
  const ended = await open(job);
  expect(ended).not.toContain('data-live');
  expect(ended).toMatch(/Decided<\/dt>\s*<dd>1</);
  // The failure says which offer it is, why, and leads to the same decision on it as it is now.
  expect(ended).toMatch(
    new RegExp(
      `/console/offers/${other}"><bdi>[^<]+<[\\s\\S]*It has changed meanwhile[\\s\\S]*CONFLICT_VERSION`,
    ),
  );
  expect(ended).toContain(`href="${many}?action=approve&amp;offer=${other}"`);
  const asItIs = await open(many, { action: 'approve', offer: other });
  expect(asItIs).toContain('<h1><bdi>Approve: 1</bdi></h1>');
  expect(await open('/console/review-jobs')).toContain(job);
});

test('previews all offers of a filter, with what is dangerous, and leaves a warning out', async ({
  parties,
  open,
  reviewer,
}) => {
  for (const cost of [110, 90, 150]) {
    const id = await approvedOffer(parties);
    succeeded(await parties.byVendor('PATCH', `/${id}/cost`, { cost, costIsVatInclusive: false }));
  }
  const filter = { vendorId: parties.vendor.vendorId, kind: 'StagedPrice' };
  const body = await open(many, { ...filter, scope: 'all', action: 'apply' });
  expect(body).toContain('<h1><bdi>Apply the price: 3</bdi></h1>');
  const facts = Object.fromEntries(
    Array.from(body.matchAll(/<dt>([^<]*)<\/dt>\s*<dd><bdi>([^<]*)/g), ([, name, fact]) => [
      name,
      fact,
    ]),
  );
  expect(facts).toMatchObject({
    'Lowest price, SAR': '90.00',
    'Highest price, SAR': '150.00',
    'Largest increase': '+50%',
    'Largest decrease': '-10%',
  });
  expect(body).toContain('<bdi>100.00</bdi> → <bdi>150.00</bdi>');
  // Only one of them has a large change.
  const fields = { ...hiddenFieldsOf(body, many), without: 'LargePriceChange' };
  const boxes = Array.from(body.matchAll(/name="ticked" value="([^"]*)"/g), ([, id = '']) => id);
  const again = await reviewer.submit(many, [
    ...Object.entries({ ...fields, count: '3' }),
    ...boxes.map((id): [string, string] => ['ticked', id]),
  ]);
  expect(again).toMatchObject(shows(200, '<h1><bdi>Apply the price: 2</bdi></h1>'));
});

test('opens a refused form again, with the reason that was typed', async ({ reviewer, offer }) => {
  const form = { expectedVersion: '99', reason: 'No "size".' };
  const url = `${queue}/${await offer({})}`;
  const response = await reviewer.submit(`${url}/reject`, form);
  const opened = /class="reason" open>[^]*>No &quot;size&quot;\.<\/textarea>/;
  expect(response).toMatchObject(shows(409, opened));
  const variant = await reviewer.submit(`${url}/new-variant`, { sku: 'S-1', sizeMl: 'large' });
  expect(variant).toMatchObject(shows(400, /reason" open>[^]*value="S-1"[^]*value="large"/));
});

test('redirects a preview without offers to the queue', async ({ reviewer }) => {
  const response = await reviewer.open(`${many}?scope=selected&kind=Match`);
  const location = '/console/offers?kind=Match';
  expect(response).toMatchObject({ statusCode: 303, headers: { location } });
});

test('reads a form with 10,000 offers', async ({ reviewer }) => {
  const item = `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}.12`;
  const items = Array.from({ length: 10_000 }, () => item).join('_');
  const response = await reviewer.submit(many, { items, count: '1', start: 'true', scope: 'all' });
  expect(response).toMatchObject(shows(400, '10000 had to be typed.'));
});
