import { expect } from 'vitest';
import { capabilities } from '../../../../domain/accounts/capabilities.ts';
import { newOperator } from '../../../support/api/actors.ts';
import { call, itemsOf, refusal } from '../../../support/api/api.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { twoProcessesTest } from '../../../support/api/two-processes.ts';
import {
  askToken,
  credentialTest as test,
  newCredentialFixture,
  tokenOf,
} from './credential-fixture.ts';
// What an operator switched off stays off, whatever a token that is still valid asks for (D82).

const revoked = refusal('FORBIDDEN', { reason: 'CREDENTIAL_REVOKED' });
const inactive = refusal('FORBIDDEN', { reason: 'VENDOR_INACTIVE' });

test('refuses changes of credentials by a token of one that an operator deactivated', async ({
  gateway,
  operate,
  fixture,
}) => {
  const { add, generate, remove, rows, setActive } = fixture;
  const { id, ...known } = await add(capabilities);
  const other = await add(['Stock']);
  const token = await tokenOf(gateway, known);
  const off = await operate('PATCH', `/credentials/${id}/active`, { isActive: false });
  expect(off).toMatchObject({ status: 200, payload: { id, isActive: false } });
  const before = await rows();
  for (const response of [
    await setActive(id, true, token),
    await generate('Stock', token),
    await setActive(other.id, false, token),
    await remove(other.id, token),
    await remove(id, token),
  ])
    expect(response).toMatchObject(revoked);
  expect(await rows()).toEqual(before);
  expect(await askToken(gateway, known)).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  // Deleted by another credential of its vendor, it still generates none.
  await remove(id);
  expect(await generate(capabilities.join(), token)).toMatchObject(revoked);
});

test.for([false, true])(
  'lets the vendor delete a revoked credential, not activate it; inactive before: %s',
  async (wasOff, { operate, fixture }) => {
    const { id } = await fixture.add(['Stock']);
    if (wasOff) await fixture.setActive(id, false);
    await operate('PATCH', `/credentials/${id}/active`, { isActive: false });
    expect(await fixture.setActive(id, true)).toMatchObject(revoked);
    expect((await fixture.setActive(id, false)).status).toBe(200);
    expect((await fixture.remove(id)).status).toBe(200);
  },
);

test('restores all rights of a credential that an operator activates again', async ({
  gateway,
  adminAccount,
  operate,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Account', 'Stock']);
  const token = await tokenOf(gateway, known);
  for (const isActive of [false, true]) {
    await operate('PATCH', `/credentials/${id}/active`, { isActive });
    const listed = await operate('GET', `/vendors/${fixture.vendor.vendorId}/credentials`);
    expect(itemsOf(listed)[0]).toMatchObject({ id, isActive });
  }
  expect((await askToken(gateway, known)).status).toBe(200);
  expect((await fixture.generate('Stock', token)).status).toBe(201);
  for (const isActive of [false, true])
    expect((await fixture.setActive(id, isActive)).status).toBe(200);
  const entries = await gateway.sql`
    select operator_id, credential_id, before, after from audit_log
    where subject_id = ${id} order by id`;
  const [on, off] = [{ isActive: true }, { isActive: false }];
  const byOperator = { operatorId: adminAccount.id, credentialId: null };
  const byVendor = { operatorId: null, credentialId: fixture.vendor.credentialId };
  expect(entries).toEqual([
    { ...byOperator, before: on, after: off },
    { ...byOperator, before: off, after: on },
    { ...byVendor, before: on, after: off },
    { ...byVendor, before: off, after: on },
  ]);
});

test('accepts tokens of a credential that the vendor deactivated or deleted (D54, D58)', async ({
  gateway,
  fixture: { add, generate, remove, setActive },
}) => {
  const [one, two] = [await add(['Account', 'Stock']), await add(['Account', 'Stock'])];
  const [switched, deleted] = [await tokenOf(gateway, one), await tokenOf(gateway, two)];
  await setActive(one.id, false);
  await remove(two.id);
  for (const token of [switched, deleted])
    expect((await generate('Stock', token)).status).toBe(201);
  expect((await setActive(one.id, true, switched)).status).toBe(200);
});

test('refuses an inactive vendor each change of its credentials', async ({
  operate,
  fixture: { vendor, generate, list, remove, setActive },
}) => {
  const path = `/vendors/${vendor.vendorId}/active`;
  await operate('PATCH', path, { isActive: false });
  for (const refused of [
    await generate('Stock'),
    await setActive(vendor.credentialId, false),
    await remove(vendor.credentialId),
  ])
    expect(refused).toMatchObject(inactive);
  // The other routes check the claim alone (D58).
  expect((await list()).status).toBe(200);
  await operate('PATCH', path, { isActive: true });
  expect((await generate('Stock')).status).toBe(201);
});

twoProcessesTest(
  "keeps an operator's deactivation beside a concurrent activation by the vendor",
  async ({ processes: { one, both } }) => {
    const { token: staff } = await newOperator(one);
    for (let round = 0; round < raceRounds; round += 1) {
      const { add, rows, setActive } = await newCredentialFixture(one);
      const { id, ...known } = await add(['Account']);
      const token = await tokenOf(one, known);
      await setActive(id, false);
      const ofVendor = () => setActive(id, true, token);
      const ofOperator = () =>
        call(both[1], 'PATCH', `/operator/v1/credentials/${id}/active`, {
          token: staff,
          body: { isActive: false },
        });
      const [first, second] = round % 2 === 0 ? [ofVendor, ofOperator] : [ofOperator, ofVendor];
      const responses = await Promise.all([first(), second()]);
      // Before the operator's switch it succeeds; after it, it is refused.
      expect([200, 403]).toContain(responses[round % 2]?.status);
      expect((await rows()).find((row) => row.id === id)?.isActive).toBe(false);
      expect(await setActive(id, true, token)).toMatchObject(revoked);
    }
  },
);
