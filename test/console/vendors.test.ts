import { expect } from 'vitest';
import { newOfferSet } from '../api/accounts/agreements/offer-set.ts';
import { auditOf } from '../api/offers/offer-record.ts';
import { newOfferFixture } from '../api/offers/offer-fixture.ts';
import { newVendor } from '../support/api/actors.ts';
import { unknownId } from '../support/api/api.ts';
import { consoleTest, hiddenFieldsOf, shows } from './console-fixture.ts';

// Vendors in the console: what each role sees, and what an Admin changes.

const vendors = '/console/vendors';

const test = consoleTest
  .extend('vendor', ({ gateway }) => newVendor(gateway))
  .extend('path', ({ vendor }) => `${vendors}/${vendor.vendorId}`);

const queryOf = (form: Record<string, string>): string => String(new URLSearchParams(form));

test('finds a vendor by its name', async ({ gateway, admin, vendor, path }) => {
  const name = '<b>Amber & Oud</b>';
  await gateway.sql`update vendors set name = ${name} where id = ${vendor.vendorId}`;
  const { body } = await admin.open(`${vendors}?q=amber`);
  expect(body).toContain('&lt;b&gt;Amber &amp; Oud&lt;/b&gt;');
  expect(body).toContain(`href="${path}"`);
  const none = await admin.open(`${vendors}?q=${unknownId()}`);
  expect(none.body).toContain('No vendor has this name.');
  expect((await admin.open(`${vendors}/${unknownId()}`)).statusCode).toBe(404);
});

test.for([
  ['reviewer', { offers: true, webhooks: false, changes: false }],
  ['operations', { offers: false, webhooks: true, changes: false }],
  ['admin', { offers: true, webhooks: true, changes: true }],
] as const)(
  'shows to %s only what the role may see and do',
  async ([role, shown], { gateway, reviewer, operations, admin }) => {
    const { vendor, offerIn } = await newOfferFixture(gateway);
    const rejected = await offerIn('Rejected');
    const { [role]: browser } = { reviewer, operations, admin };
    const path = `${vendors}/${vendor.vendorId}`;
    const { body, statusCode } = await browser.open(path);
    expect(statusCode).toBe(200);
    expect({
      offers: body.includes(`href="/console/offers/${rejected}"`),
      webhooks: body.includes('href="/console/webhooks?vendorId='),
      changes: body.includes(`action="${path}/active"`),
    }).toEqual(shown);
    for (const part of ['/agreement"', '/credentials"', vendor.clientId])
      expect(body.includes(part), part).toBe(shown.changes);
    expect((await browser.open(vendors)).body.includes('New vendor')).toBe(shown.changes);
  },
);

test('refuses changes without the role Admin', async ({ gateway, operations, vendor, path }) => {
  const agreement = { pricingModel: 'PercentageOfSale', percent: '15', confirmation: 'Vendor' };
  for (const [action, form] of [
    ['active', { isActive: 'false' }],
    ['agreement', agreement],
    ['credentials', { capabilities: 'Offers', key: 'k' }],
    ['credential', { credential: vendor.credentialId, isActive: 'false' }],
  ] as const)
    expect((await operations.submit(`${path}/${action}`, form)).statusCode, action).toBe(403);
  expect(await auditOf(gateway.sql, vendor.vendorId)).toEqual([]);
});

test('switches an agreement as previewed, once the count is typed', async ({ gateway, admin }) => {
  const { vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const form = { pricingModel: 'PercentageOfSale', percent: '15' };
  const path = `${vendors}/${vendorId}/agreement`;
  const preview = await admin.open(`${path}?${queryOf(form)}`);
  const [, moved = ''] = /<dt>Offers to reprice<\/dt>\s*<dd>(\d+)<\/dd>/.exec(preview.body) ?? [];
  expect(Number(moved)).toBeGreaterThan(0);
  expect(preview.body).toContain('Offers that lose their price, by status');
  const fields = hiddenFieldsOf(preview.body, 'agreement');
  expect(fields).toMatchObject({ ...form, expectedMoved: moved });
  expect(preview.body).toMatch(/cost \+ \d+ % → 15 % commission/);
  const stored = () => gateway.sql`select pricing_model from vendors where id = ${vendorId}`;
  for (const confirmation of ['', `${Number(moved) + 1}`, 'Vendor']) {
    const refused = await admin.submit(path, { ...fields, confirmation });
    expect(refused).toMatchObject(shows(409, 'Nothing has changed.'));
    expect(await stored()).toEqual([{ pricingModel: 'CostPlusMargin' }]);
  }
  // Another number than the preview has shown.
  const less = String(Number(moved) - 1);
  const other = { ...fields, expectedMoved: less, confirmation: less };
  expect(await admin.submit(path, other)).toMatchObject(shows(409, 'Nothing has changed.'));
  expect(await stored()).toEqual([{ pricingModel: 'CostPlusMargin' }]);
  const inArabic = Number(moved).toLocaleString('ar-SA-u-nu-arab', { useGrouping: false });
  const switched = await admin.submit(path, { ...fields, confirmation: inArabic });
  expect(switched.headers['location']).toBe(`${vendors}/${vendorId}?done=${moved}`);
  expect(await stored()).toEqual([{ pricingModel: 'PercentageOfSale' }]);
  const page = await admin.open(String(switched.headers['location']));
  expect(page.body).toContain(`Offers to reprice: ${moved}.`);
});

test('requires the vendor’s name to confirm a change that moves no offer', async ({
  gateway,
  admin,
  vendor: { vendorId },
  path,
}) => {
  await gateway.sql`update vendors set name = ${'\u200fOud\u00a0 House'} where id = ${vendorId}`;
  const url = `${path}/agreement`;
  const form = { pricingModel: 'CostPlusMargin', percent: '٣٣ ٪' };
  const send = async (confirmation: string) =>
    (await admin.submit(url, { ...form, confirmation })).statusCode;
  expect((await admin.open(`${url}?${queryOf(form)}`)).body).toContain('House');
  expect(await send('0')).toBe(409);
  expect(await send('Oud House')).toBe(303);
  const same = await admin.open(`${url}?${queryOf(form)}`);
  expect(same.body).toContain('This agreement is in effect.');
  expect(same.body).not.toContain('name="confirmation"');
  const wrong = await admin.open(`${url}?pricingModel=CostPlusMargin&percent=-1`);
  expect(wrong).toMatchObject(shows(400, 'MarkupPercent'));
  const comma = await admin.open(`${url}?pricingModel=CostPlusMargin&percent=12,5`);
  expect(comma).toMatchObject(shows(400, 'MarkupPercent must be of type number'));
});

test('switches a vendor off and on, a credential off', async ({ gateway, admin, vendor, path }) => {
  const off = await admin.submit(`${path}/active`, { isActive: 'false' });
  expect(off.headers['location']).toBe(`${path}?done=0`);
  expect((await admin.open(`${path}?done=0`)).body).toMatch(/Done\.[\s\S]*Inactive/);
  await admin.submit(`${path}/active`, { isActive: 'true' });
  const credential = vendor.credentialId;
  const asks = new RegExp(`class="reason" >[^]*action="${path}/credential"`);
  expect((await admin.open(path)).body).toMatch(asks);
  await admin.submit(`${path}/credential`, { credential, isActive: 'false' });
  const [isOff, isOn] = [{ isActive: false }, { isActive: true }];
  expect(await auditOf(gateway.sql, vendor.vendorId)).toMatchObject([
    { action: 'vendor.active', after: isOff },
    { action: 'vendor.active', after: isOn },
  ]);
  expect(await auditOf(gateway.sql, credential)).toMatchObject([
    { action: 'credential.active', after: isOff },
  ]);
});

test('adds a vendor and its credential once when a form is sent twice', async ({ admin }) => {
  const twice = async (url: string, form: Record<string, string>) =>
    [await admin.submit(url, form), await admin.submit(url, form)] as const;
  const fields = hiddenFieldsOf((await admin.open(vendors)).body, vendors);
  const form = { ...fields, name: 'New one', pricingModel: 'CostPlusMargin', percent: '12.5' };
  const [added, again] = await twice(vendors, form);
  const path = String(added.headers['location']);
  expect(path).toMatch(/^\/console\/vendors\/[\da-f-]{36}$/);
  expect(again.headers['location']).toBe(path);
  const page = await admin.open(path);
  expect(page.body).toContain('cost + 12.5 %');
  const issued = { ...hiddenFieldsOf(page.body, '/credentials'), capabilities: 'Offers,Stock' };
  const [first, second] = await twice(`${path}/credentials`, issued);
  const secretOf = ({ body }: typeof first) => /vs_[\w-]+/.exec(body)?.[0];
  expect(secretOf(first)).toBeDefined();
  expect(secretOf(second)).toBe(secretOf(first));
  const { body } = await admin.open(path);
  expect(body).not.toContain(secretOf(first));
  expect(body.match(/<bdi class="id">vc_/g)).toHaveLength(1);
  const wrong = { pricingModel: 'PercentageOfSale', percent: '12,5' };
  const refused = await admin.submit(vendors, { ...form, key: unknownId(), ...wrong });
  expect(refused).toMatchObject(shows(400, 'value="12,5"'));
  expect(refused.body).toMatch(/value="PercentageOfSale"\s+selected/);
});
