import { expect } from 'vitest';
import {
  newOperator,
  newVendor,
  percentageOfSale,
  tokenWith,
  type TestVendor,
} from '../support/actors.ts';
import { everyRow } from './credentials/credential-fixture.ts';
import { call, fieldErrorsOf, itemsOf, refusal, type Call, type Gateway } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// What a vendor keeps of itself (D55).

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

test('the profile is id, name, contact e-mail and pricing model, and nothing else', async ({
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

test('an update answers the profile as the next read shows it, and what is not sent stays', async ({
  gateway,
  vendor,
}) => {
  const steps = [
    [{ name: 'Oud & Co' }, { name: 'Oud & Co', contactEmail: null }],
    [
      { contactEmail: 'ops@vendor.example' },
      { name: 'Oud & Co', contactEmail: 'ops@vendor.example' },
    ],
    [
      { name: null, contactEmail: null },
      { name: 'Oud & Co', contactEmail: 'ops@vendor.example' },
    ],
    [
      { name: 'مصنع العود', contactEmail: 'a@b.example' },
      { name: 'مصنع العود', contactEmail: 'a@b.example' },
    ],
    [{ contactEmail: '' }, { name: 'مصنع العود', contactEmail: null }],
    [{ contactEmail: 'a@b.example' }, { contactEmail: 'a@b.example' }],
    [{ contactEmail: ' \t' }, { contactEmail: null }],
  ] as const;
  for (const [body, expected] of steps) {
    const answer = await update(gateway, vendor, body);
    expect(answer).toMatchObject({ status: 200, payload: { id: vendor.vendorId, ...expected } });
    expect((await read(gateway, vendor)).payload).toStrictEqual(answer.payload);
  }
});

test.for<[Call['body'], readonly string[]]>([
  [{ name: '' }, ['Name required']],
  [{ name: ' \n' }, ['Name required']],
  [{ name: 5 }, ['Name invalid_type']],
  [{ name: 'a\0b' }, ['Name invalid_characters']],
  [{ name: '\ud800' }, ['Name invalid_characters']],
  [{ name: 'x'.repeat(256) }, ['Name too_long']],
  [{ name: '😀'.repeat(256) }, ['Name too_long']],
  [{ contactEmail: 5 }, ['ContactEmail invalid_type']],
  [{ contactEmail: ['a@b.example'] }, ['ContactEmail invalid_type']],
  [{ isActive: false }, ['IsActive unknown_field']],
  [
    { id: 'x', pricingModel: 'PercentageOfSale' },
    ['Id unknown_field', 'PricingModel unknown_field'],
  ],
  [
    { name: '', contactEmail: 'x', more: 1 },
    ['ContactEmail invalid_email', 'More unknown_field', 'Name required'],
  ],
  ['[]', ['Body invalid_type']],
  ['{', ['Body malformed']],
] as const)(
  'the body %j is 400: %j, and changes nothing',
  async ([body, errors], { gateway, vendor }) => {
    const before = await rowOf(gateway, vendor);
    const answer = await update(gateway, vendor, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
    expect(await rowOf(gateway, vendor)).toEqual(before);
  },
);

test.for([{}, '', { name: null, contactEmail: null }, { name: 'Vendor' }, { contactEmail: '' }])(
  'the body %j changes nothing, and is in no log',
  async (body, { gateway, vendor }) => {
    const before = await rowOf(gateway, vendor);
    expect((await update(gateway, vendor, body)).payload).toStrictEqual(
      (await read(gateway, vendor)).payload,
    );
    expect(await rowOf(gateway, vendor)).toEqual(before);
    expect(await entriesOf(gateway, vendor)).toEqual([]);
  },
);

test('a change is logged by its credential: the name before and after, never an address', async ({
  gateway,
  vendor,
}) => {
  const { vendorId, credentialId } = vendor;
  const [first, second] = [`one@${vendorId}.example`, `two@${vendorId}.example`];
  for (const body of [
    { name: 'Oud' },
    { contactEmail: first },
    { contactEmail: second },
    { contactEmail: '' },
  ]) {
    expect((await update(gateway, vendor, body)).status).toBe(200);
  }
  const entries = await entriesOf(gateway, vendor);
  const common = {
    operatorId: null,
    credentialId,
    action: 'vendor.profile',
    subjectType: 'vendor',
  };
  expect(entries).toMatchObject([
    { ...common, before: { name: 'Vendor' }, after: { name: 'Oud' } },
    { ...common, after: { contactEmail: 'changed' } },
    { ...common, after: { contactEmail: 'changed' } },
    { ...common, after: { contactEmail: 'changed' } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/one@|two@/);
  // The address that was replaced, and the one that was cleared, are nowhere any more.
  expect(await everyRow(gateway)).not.toMatch(new RegExp(`(one|two)@${vendorId}`));
});

test("another vendor's profile stays, and no parameter names a vendor", async ({
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

test('reading and changing it need Account', async ({ gateway, vendor }) => {
  const token = tokenWith(gateway, vendor, ['Offers', 'Stock', 'Cost', 'Orders']);
  const refused = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Account' });
  expect(await read(gateway, vendor, { ...vendor, token })).toMatchObject(refused);
  expect(await update(gateway, vendor, { name: 'x' }, { ...vendor, token })).toMatchObject(refused);
  expect(
    (
      await update(
        gateway,
        vendor,
        { name: 'x' },
        { ...vendor, token: tokenWith(gateway, vendor, ['Account']) },
      )
    ).status,
  ).toBe(200);
});

test('operators see the vendor’s own name; its update leaves activity and agreement alone', async ({
  gateway,
  vendor,
}) => {
  const { token } = await newOperator(gateway);
  await update(gateway, vendor, { name: 'Renamed' });
  const answer = await call(gateway, 'GET', `/operator/v1/vendors/${vendor.vendorId}`, { token });
  expect(answer.payload).toMatchObject({ name: 'Renamed', isActive: true });
  const log = await call(gateway, 'GET', `/operator/v1/audit?subjectId=${vendor.vendorId}`, {
    token,
  });
  expect(itemsOf(log)).toHaveLength(1);
});

test('of two updates at once of different fields both stand, in each of 40 rounds', async ({
  gateway,
  vendor,
}) => {
  for (let round = 0; round < 40; round += 1) {
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
