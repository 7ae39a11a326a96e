import { expect } from 'vitest';
import { newParties, succeeded } from '../api/offers/offer-record.ts';
import { newOperator, newVariant } from '../support/api/actors.ts';
import { textOf } from '../support/api/api.ts';
import { runReviewJob } from '../api/jobs/job-fixture.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { hiddenFieldsOf, signIn, submit } from './console-fixture.ts';

// The queue, and decisions on many of its offers (D102, D139).

const test = gatewayTest
  .extend('parties', ({ gateway }) => newParties(gateway))
  .extend('browser', { scope: 'file' }, async ({ gateway }) =>
    signIn(gateway, await newOperator(gateway, ['Reviewer'])),
  )
  .extend('open', ({ gateway, browser }) => {
    return async (path: string, query: Record<string, string> = {}) => {
      const url = `${path}?${String(new URLSearchParams(query))}`;
      return gateway.app.inject({ url, headers: browser });
    };
  })
  .extend('offer', ({ parties }) => async (given: Record<string, unknown>) => {
    const body = { rawBrandName: 'Brand', cost: 100, costIsVatInclusive: false, ...given };
    return textOf(succeeded(await parties.byVendor('POST', '', body)), 'id');
  });

const queue = '/console/offers';
const many = '/console/offers/many';

test('shows kind, vendor and warnings by the API, and filters by them', async ({
  gateway,
  parties: { vendor },
  open,
  offer,
}) => {
  const { id: variantId } = await newVariant(gateway, { productName: 'Amber Nights' });
  const barcode = '4006381333931';
  await offer({ rawProductName: 'Oud Royal', vendorExternalId: 'ext-77' });
  const matched = await offer({ variantId, barcode, rawBrandName: undefined });
  await gateway.sql`
    update offers set awaiting_since = awaiting_since - interval '2 days' where id = ${matched}`;
  const { vendorId } = vendor;
  const all = (await open(queue, { vendorId })).body;
  expect(all).toMatch(/Oud Royal[\s\S]*>Match<[\s\S]*chip warn">No barcode/);
  expect(all).toMatch(/name="age" >[\s\S]*>Up to a day \(1\)<[\s\S]*>1 to 3 days \(1\)</);
  // An offer without texts of its own has those of its match.
  expect(all).toContain('Amber Nights');
  for (const [filter, shown] of [
    [{ kind: 'Match' }, 'Oud Royal'],
    [{ flag: 'NoBarcode' }, 'Oud Royal'],
    [{ text: 'ext-77' }, 'Oud Royal'],
    [{ text: barcode }, 'Amber Nights'],
    [{ age: 'UpToThreeDays' }, 'Amber Nights'],
    [{ kind: 'Review' }, 'Amber Nights'],
  ] as const) {
    const { body } = await open(queue, { vendorId, ...filter });
    const names = Array.from(
      body.matchAll(/<bdi>[^<]*(Oud Royal|Amber Nights)/g),
      ([, name]) => name,
    );
    expect(names, JSON.stringify(filter)).toEqual([shown]);
  }
});

test('previews a selection, leaves out what would be refused, and starts a job', async ({
  gateway,
  browser,
  parties: { vendor },
  open,
  offer,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const [matched, other, free] = [
    await offer({ variantId, rawProductName: 'One' }),
    await offer({ variantId, rawProductName: 'Two' }),
    await offer({ rawProductName: 'Three' }),
  ];
  const query = new URLSearchParams({ vendorId: vendor.vendorId, action: 'approve' });
  for (const id of [matched, other, free]) query.append('offer', id);
  const { body } = await gateway.app.inject({ url: `${many}?${String(query)}`, headers: browser });
  expect(body).toContain('<h1><bdi>Approve: 2</bdi></h1>');
  expect(body).toMatch(/Three[\s\S]*It has no variant yet\./);
  const fields = hiddenFieldsOf(body, many);
  const wrong = await submit(gateway, many, { ...fields, count: '3' }, browser);
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body).toContain('Nothing was decided: 2 had to be typed.');
  expect(hiddenFieldsOf(wrong.body, many)).toMatchObject({ items: fields['items'] });
  const started = await submit(gateway, many, { ...fields, count: '2' }, browser);
  expect(started.headers['location']).toMatch(/^\/console\/review-jobs\/[\da-f-]{36}$/);
  const job = String(started.headers['location']);
  const waiting = (await open(job)).body;
  expect(waiting).toContain('<meta http-equiv="refresh" content="2" />');
  expect(waiting).toMatch(/<progress\s+value="0"\s+max="2"/);
  // One of them changes after the preview.
  await gateway.sql`update offers set judged_version = judged_version + 1 where id = ${other}`;
  await runReviewJob(gateway, job.split('/').at(-1) ?? '');
  const ended = (await open(job)).body;
  expect(ended).not.toContain('http-equiv="refresh"');
  expect(ended).toMatch(/Decided<\/dt>\s*<dd>1</);
  expect(ended).toMatch(new RegExp(`/console/offers/${other}"[\\s\\S]*CONFLICT_VERSION`));
  expect((await open('/console/review-jobs')).body).toContain(job);
});

test('previews all offers of a filter with the smallest and the largest change', async ({
  parties,
  gateway,
  open,
  offer,
}) => {
  const { id: variantId } = await newVariant(gateway);
  for (const cost of [110, 90, 150]) {
    const id = await offer({ variantId });
    succeeded(
      await parties.by('Reviewer', 'POST', `/offers/${id}/approve`, { expectedVersion: 1 }),
    );
    succeeded(await parties.byVendor('PATCH', `/${id}/cost`, { cost, costIsVatInclusive: false }));
  }
  const filter = { vendorId: parties.vendor.vendorId, kind: 'StagedPrice' };
  const { body } = await open(many, { ...filter, scope: 'all', action: 'apply' });
  expect(body).toContain('<h1><bdi>Apply the price: 3</bdi></h1>');
  expect(body).toMatch(/Smallest change<\/dt>\s*<dd><bdi>-10%/);
  expect(body).toMatch(/Largest change<\/dt>\s*<dd><bdi>\+50%/);
});

test('a preview of nothing leads back to the queue', async ({ open }) => {
  const answer = await open(many, { scope: 'selected', kind: 'Match' });
  expect(answer).toMatchObject({
    statusCode: 303,
    headers: { location: '/console/offers?kind=Match' },
  });
});

test('takes a form with 10,000 offers', async ({ gateway, browser }) => {
  const item = `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}.12`;
  const items = Array.from({ length: 10_000 }, () => item).join('_');
  const answer = await submit(gateway, many, { items, count: '1', scope: 'all' }, browser);
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain('10000 had to be typed.');
});
