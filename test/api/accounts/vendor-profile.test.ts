import { expect } from 'vitest';
import { newVendor, percentageOfSale, type TestVendor } from '../../support/api/actors.ts';
import { everyRow } from './credentials/credential-fixture.ts';
import { call, type Call, type Gateway } from '../../support/api/api.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// A vendor's own profile (D55). Its body has its cases in `account-body.test.ts`.

const test = gatewayTest.extend('vendor', ({ gateway }) => newVendor(gateway));

const url = '/api/v1/vendor/profile';
const read = (gateway: Gateway, vendor: TestVendor, { token } = vendor) =>
  call(gateway, 'GET', url, { token });
const update = (gateway: Gateway, vendor: TestVendor, body: Call['body'], { token } = vendor) =>
  call(gateway, 'PATCH', url, { token, body });
const rowOf = (gateway: Gateway, vendor: TestVendor, { vendorId } = vendor) =>
  gateway.sql`select v::text as row from vendors v where id = ${vendorId}`;
const entriesOf = (gateway: Gateway, vendor: TestVendor, { vendorId } = vendor) => gateway.sql`
  select operator_id, credential_id, action, subject_type, before, after from audit_log
  where subject_id = ${vendorId} order by id`;

test('returns id, name, contact e-mail address and pricing model, and nothing else', async ({
  gateway,
  vendor,
}) => {
  const answer = await read(gateway, vendor);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id: vendor.vendorId,
    name: 'Vendor',
    contactEmail: null,
    pricingModel: { name: 'CostPlusMargin', model: 1 },
  });
  const other = await newVendor(gateway, { agreement: percentageOfSale });
  expect((await read(gateway, vendor, other)).payload).toMatchObject({
    pricingModel: { name: 'PercentageOfSale', model: 2 },
  });
});

test('stores the fields that are sent, and returns the profile as the next read does', async ({
  gateway,
  vendor,
}) => {
  const [name, contactEmail] = ['مصنع العود', 'a@b.example'];
  for (const [body, expected] of [
    [{ name: 'Oud & Co' }, { name: 'Oud & Co', contactEmail: null }],
    [{ contactEmail }, { name: 'Oud & Co', contactEmail }],
    [
      { name: null, contactEmail: null },
      { name: 'Oud & Co', contactEmail },
    ],
    [
      { name, contactEmail: 'ops@vendor.example' },
      { name, contactEmail: 'ops@vendor.example' },
    ],
    [{ contactEmail: '' }, { name, contactEmail: null }],
    [{ contactEmail }, { name, contactEmail }],
    [{ contactEmail: ' \t' }, { name, contactEmail: null }],
  ] as const) {
    const answer = await update(gateway, vendor, body);
    expect(answer).toMatchObject({ status: 200, payload: { id: vendor.vendorId, ...expected } });
    expect((await read(gateway, vendor)).payload).toStrictEqual(answer.payload);
  }
});

test.for([{}, '', { name: null, contactEmail: null }, { name: 'Vendor' }, { contactEmail: '' }])(
  'changes and logs nothing for the body %j',
  async (body, { gateway, vendor }) => {
    const before = await rowOf(gateway, vendor);
    expect((await update(gateway, vendor, body)).payload).toStrictEqual(
      (await read(gateway, vendor)).payload,
    );
    expect(await rowOf(gateway, vendor)).toEqual(before);
    expect(await entriesOf(gateway, vendor)).toEqual([]);
  },
);

test('logs a change with its credential and the name before and after, and no address', async ({
  gateway,
  vendor,
}) => {
  const { vendorId, credentialId } = vendor;
  const [first, second] = [`one@${vendorId}.example`, `two@${vendorId}.example`];
  const common = {
    operatorId: null,
    credentialId,
    action: 'vendor.profile',
    subjectType: 'vendor',
  };
  await update(gateway, vendor, { name: 'Oud' });
  for (const contactEmail of [first, second, '']) await update(gateway, vendor, { contactEmail });
  const entries = await entriesOf(gateway, vendor);
  const changed = { ...common, after: { contactEmail: 'changed' } };
  expect(entries).toMatchObject([
    { ...common, before: { name: 'Vendor' }, after: { name: 'Oud' } },
    changed,
    changed,
    changed,
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/one@|two@/);
  // The address that was replaced, and the one that was cleared, are nowhere any more.
  expect(await everyRow(gateway)).not.toMatch(new RegExp(`(one|two)@${vendorId}`));
});

test("changes no other vendor's profile, and takes no parameter that names one", async ({
  gateway,
  vendor,
}) => {
  const other = await newVendor(gateway);
  const before = await rowOf(gateway, vendor, other);
  expect(
    (await update(gateway, vendor, { name: 'Mine', contactEmail: 'mine@vendor.example' })).status,
  ).toBe(200);
  expect(await rowOf(gateway, vendor, other)).toEqual(before);
  expect(await entriesOf(gateway, vendor, other)).toEqual([]);
  for (const query of [`?vendorId=${other.vendorId}`, `?id=${other.vendorId}`]) {
    const answer = await call(gateway, 'GET', url + query, { token: vendor.token });
    expect(answer.state).toBe('VALIDATION_UNKNOWN_QUERY_PARAMETER');
  }
});

test('concurrent updates of different fields are both stored and audited', async ({
  gateway,
  vendor,
}) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const fresh = await newVendor(gateway);
    const [name, contactEmail] = [`Name ${round}`, `round${round}@vendor.example`];
    const answers = await Promise.all([
      update(gateway, vendor, { name }, fresh),
      update(gateway, vendor, { contactEmail }, fresh),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(gateway, vendor, fresh)).payload).toMatchObject({ name, contactEmail });
    expect(await entriesOf(gateway, vendor, fresh)).toHaveLength(2);
  }
});
