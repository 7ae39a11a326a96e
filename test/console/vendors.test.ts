import { expect } from 'vitest';
import { newOfferSet } from '../api/accounts/agreements/offer-set.ts';
import { auditOf } from '../api/offers/offer-record.ts';
import { newOfferFixture } from '../api/offers/offer-fixture.ts';
import { newOperator, newVendor } from '../support/api/actors.ts';
import { unknownId } from '../support/api/api.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { signIn, submit } from './console-fixture.ts';

// Vendors in the console: what each role sees, and what an Admin changes.

const test = gatewayTest
  .extend('admin', { scope: 'file' }, async ({ gateway }) =>
    signIn(gateway, await newOperator(gateway)),
  )
  .extend(
    'open',
    ({ gateway, admin }) =>
      async (url: string, headers = admin) =>
        gateway.app.inject({ url, headers }),
  )
  .extend(
    'send',
    ({ gateway, admin }) =>
      (url: string, form: Readonly<Record<string, string>>, headers = admin) =>
        submit(gateway, url, form, headers),
  )
  .extend('vendor', ({ gateway }) => newVendor(gateway));

const vendorsPath = '/console/vendors';
const hiddenValue = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

test('finds a vendor by its name, which stays text', async ({ gateway, open, vendor }) => {
  const name = '<b>Amber & Oud</b>';
  await gateway.sql`update vendors set name = ${name} where id = ${vendor.vendorId}`;
  const { body } = await open(`${vendorsPath}?q=amber`);
  expect(body).toContain('&lt;b&gt;Amber &amp; Oud&lt;/b&gt;');
  expect(body).not.toContain('<b>Amber');
  expect(body).toContain(`href="${vendorsPath}/${vendor.vendorId}"`);
  expect((await open(`${vendorsPath}?q=${unknownId()}`)).body).toContain(
    'No vendor has this name.',
  );
  expect((await open(`${vendorsPath}/${vendor.vendorId}`)).body).not.toContain('<b>Amber');
  expect((await open(`${vendorsPath}/${unknownId()}`)).statusCode).toBe(404);
});

test.for([
  ['Reviewer', { offers: true, webhooks: false, changes: false }],
  ['Operations', { offers: false, webhooks: true, changes: false }],
  ['Admin', { offers: true, webhooks: true, changes: true }],
] as const)('shows a %s what it may see and do', async ([role, shown], { gateway, open }) => {
  const { vendor, offerIn } = await newOfferFixture(gateway);
  const rejected = await offerIn('Rejected');
  const browser = await signIn(gateway, await newOperator(gateway, [role]));
  const path = `${vendorsPath}/${vendor.vendorId}`;
  const { body, statusCode } = await open(path, browser);
  expect(statusCode).toBe(200);
  expect({
    offers: body.includes(`href="/console/offers/${rejected}"`),
    webhooks: body.includes('href="/console/webhooks?vendorId='),
    changes: body.includes(`action="${path}/active"`),
  }).toEqual(shown);
  for (const part of ['/agreement"', '/credentials"', vendor.clientId])
    expect(body.includes(part), part).toBe(shown.changes);
  const list = await open(vendorsPath, browser);
  expect(list.body.includes('New vendor')).toBe(shown.changes);
});

test('a role that may not change a vendor is refused', async ({ gateway, send, vendor }) => {
  const browser = await signIn(gateway, await newOperator(gateway, ['Operations']));
  const path = `${vendorsPath}/${vendor.vendorId}`;
  const agreement = { pricingModel: 'PercentageOfSale', percent: '15', confirmation: 'Vendor' };
  for (const [action, form] of [
    ['active', { isActive: 'false' }],
    ['agreement', agreement],
    ['credentials', { capabilities: 'Offers', key: 'k' }],
    ['credential', { credential: vendor.credentialId, isActive: 'false' }],
  ] as const)
    expect((await send(`${path}/${action}`, form, browser)).statusCode, action).toBe(403);
  expect(await auditOf(gateway.sql, vendor.vendorId)).toEqual([]);
});

test('a switch does what its preview shows, once its number is typed', async ({
  gateway,
  open,
  send,
}) => {
  const { vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const form = { pricingModel: 'PercentageOfSale', percent: '15' };
  const path = `${vendorsPath}/${vendorId}/agreement`;
  const preview = await open(`${path}?${String(new URLSearchParams(form))}`);
  const [, moved = ''] = /<dt>Offers to reprice<\/dt>\s*<dd>(\d+)<\/dd>/.exec(preview.body) ?? [];
  expect(Number(moved)).toBeGreaterThan(0);
  expect(preview.body).toMatch(/cost \+ \d+ % → 15 % commission/);
  const modelOf = async () => {
    const [vendor] = await gateway.sql`select pricing_model from vendors where id = ${vendorId}`;
    return vendor?.['pricingModel'] as string;
  };
  for (const confirmation of ['', `${Number(moved) + 1}`, 'Vendor']) {
    const refused = await send(path, { ...form, confirmation });
    expect(refused.statusCode).toBe(409);
    expect(refused.body).toContain('Nothing has changed.');
    expect(await modelOf()).toBe('CostPlusMargin');
  }
  const switched = await send(path, { ...form, confirmation: moved });
  expect(switched.headers['location']).toBe(`${vendorsPath}/${vendorId}?done=${moved}`);
  expect(await modelOf()).toBe('PercentageOfSale');
  const page = await open(String(switched.headers['location']));
  expect(page.body).toContain(`Offers to reprice: ${moved}.`);
});

test('a change that moves no offer is confirmed by the vendor’s name', async ({
  gateway,
  open,
  send,
  vendor: { vendorId },
}) => {
  await gateway.sql`update vendors set name = 'Oud House' where id = ${vendorId}`;
  const path = `${vendorsPath}/${vendorId}/agreement`;
  const form = { pricingModel: 'CostPlusMargin', percent: '33' };
  expect((await open(`${path}?${String(new URLSearchParams(form))}`)).body).toContain('Oud House');
  expect((await send(path, { ...form, confirmation: '0' })).statusCode).toBe(409);
  expect((await send(path, { ...form, confirmation: 'Oud House' })).statusCode).toBe(303);
  const same = await open(`${path}?${String(new URLSearchParams(form))}`);
  expect(same.body).toContain('This agreement is in effect.');
  expect(same.body).not.toContain('name="confirmation"');
  const wrong = await open(`${path}?pricingModel=CostPlusMargin&percent=-1`);
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body).toContain('MarkupPercent');
});

test('switches a vendor and a credential off and on', async ({ gateway, open, send, vendor }) => {
  const path = `${vendorsPath}/${vendor.vendorId}`;
  const off = await send(`${path}/active`, { isActive: 'false' });
  expect(off.headers['location']).toBe(`${path}?done=0`);
  expect((await open(`${path}?done=0`)).body).toMatch(/Done\.[\s\S]*Inactive/);
  await send(`${path}/active`, { isActive: 'true' });
  await send(`${path}/credential`, { credential: vendor.credentialId, isActive: 'false' });
  expect(await auditOf(gateway.sql, vendor.vendorId)).toMatchObject([
    { action: 'vendor.active', after: { isActive: false } },
    { action: 'vendor.active', after: { isActive: true } },
  ]);
  expect((await auditOf(gateway.sql, vendor.credentialId)).at(-1)).toMatchObject({
    action: 'credential.active',
    after: { isActive: false },
  });
});

test('adds a vendor and its credential, each once though the form is sent twice', async ({
  open,
  send,
}) => {
  const key = hiddenValue((await open(vendorsPath)).body, 'key');
  const form = { key, name: 'New one', pricingModel: 'CostPlusMargin', percent: '12.5' };
  const [added, again] = [await send(vendorsPath, form), await send(vendorsPath, form)];
  const path = String(added.headers['location']);
  expect(path).toMatch(/^\/console\/vendors\/[\da-f-]{36}$/);
  expect(again.headers['location']).toBe(path);
  const page = await open(path);
  expect(page.body).toContain('cost + 12.5 %');
  const issued = { key: hiddenValue(page.body, 'key'), capabilities: 'Offers,Stock' };
  const [first, second] = [
    await send(`${path}/credentials`, issued),
    await send(`${path}/credentials`, issued),
  ];
  const secretOf = ({ body }: typeof first) => /vs_[\w-]+/.exec(body)?.[0];
  expect(secretOf(first)).toBeDefined();
  expect(secretOf(second)).toBe(secretOf(first));
  const { body } = await open(path);
  expect(body).not.toContain(secretOf(first));
  expect(body.match(/<bdi class="id">vc_/g)).toHaveLength(1);
  const refused = await send(vendorsPath, { ...form, key: unknownId(), percent: '' });
  expect(refused.statusCode).toBe(400);
});
