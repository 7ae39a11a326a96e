import { expect } from 'vitest';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { costPlus, newVendor, percentageOfSale } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { everyRow } from '../../support/database/all-rows.ts';
// A vendor's own profile (D55). Its body has its cases in `account-body.test.ts`.

const url = '/api/v1/vendor/profile';

/** A vendor's calls of the routes, and what is stored of it. */
async function newProfile(gateway: Gateway, agreement?: Agreement) {
  const vendor = await newVendor(gateway, agreement === undefined ? {} : { agreement });
  const { token, vendorId } = vendor;
  return {
    ...vendor,
    read: () => call(gateway, 'GET', url, { token }),
    update: (body: unknown) => call(gateway, 'PATCH', url, { token, body }),
    row: () => gateway.sql`select v::text as row from vendors v where id = ${vendorId}`,
    entries: () => gateway.sql`
      select operator_id, credential_id, action, subject_type, before, after from audit_log
      where subject_id = ${vendorId} order by id`,
  };
}
const test = gatewayTest.extend('vendor', ({ gateway }) => newProfile(gateway));

test.for([
  [costPlus, { name: 'CostPlusMargin', model: 1 }],
  [percentageOfSale, { name: 'PercentageOfSale', model: 2 }],
] as const)(
  'returns only id, name, contact e-mail address and pricing model: %j',
  async ([agreement, pricingModel], { gateway }) => {
    const { vendorId, read } = await newProfile(gateway, agreement);
    const response = await read();
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const names = { name: 'Vendor', contactEmail: null };
    expect(response.payload).toStrictEqual({ id: vendorId, ...names, pricingModel });
  },
);

test('stores the fields that are sent, and returns the profile as the next read does', async ({
  vendor,
}) => {
  const [name, contactEmail] = ['مصنع العود', 'a@b.example'];
  for (const [body, expected] of [
    [{ name: 'Oud & Co' }, { name: 'Oud & Co', contactEmail: null }],
    [{ contactEmail }, { name: 'Oud & Co', contactEmail }],
    [
      { name, contactEmail: 'ops@vendor.example' },
      { name, contactEmail: 'ops@vendor.example' },
    ],
    [{ contactEmail: '' }, { name, contactEmail: null }],
    [{ contactEmail }, { name, contactEmail }],
    [{ contactEmail: ' \t' }, { name, contactEmail: null }],
  ] as const) {
    const response = await vendor.update(body);
    expect(response).toMatchObject({ status: 200, payload: { id: vendor.vendorId, ...expected } });
    expect((await vendor.read()).payload).toStrictEqual(response.payload);
  }
});

test.for([{}, '', { name: null, contactEmail: null }, { name: 'Vendor' }, { contactEmail: '' }])(
  'changes and logs nothing for the body %j',
  async (body, { vendor }) => {
    const before = await vendor.row();
    expect((await vendor.update(body)).payload).toStrictEqual((await vendor.read()).payload);
    expect(await vendor.row()).toEqual(before);
    expect(await vendor.entries()).toEqual([]);
  },
);

test('logs a change with its credential and the name before and after, and no address', async ({
  gateway,
  vendor,
}) => {
  const { vendorId, credentialId } = vendor;
  await vendor.update({ name: 'Oud' });
  for (const contactEmail of [`one@${vendorId}.example`, `two@${vendorId}.example`, ''])
    await vendor.update({ contactEmail });
  const entries = await vendor.entries();
  const by = { operatorId: null, credentialId, action: 'vendor.profile', subjectType: 'vendor' };
  const changed = { ...by, after: { contactEmail: 'changed' } };
  const renamed = { ...by, before: { name: 'Vendor' }, after: { name: 'Oud' } };
  expect(entries).toMatchObject([renamed, changed, changed, changed]);
  expect(JSON.stringify(entries)).not.toMatch(/one@|two@/);
  // The address that was replaced, and the one that was cleared, are nowhere any more.
  expect(await everyRow(gateway)).not.toMatch(new RegExp(`(one|two)@${vendorId}`));
});

test('stores and audits two concurrent updates of different fields', async ({ gateway }) => {
  for (let round = 0; round < raceRounds; round += 1) {
    const { read, update, entries } = await newProfile(gateway);
    const [name, contactEmail] = [`Name ${round}`, `round${round}@vendor.example`];
    const responses = await Promise.all([update({ name }), update({ contactEmail })]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read()).payload).toMatchObject({ name, contactEmail });
    expect(await entries()).toHaveLength(2);
  }
});
