import { expect } from 'vitest';
import type { Capability } from '../../../../domain/accounts/capabilities.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { newOperator, newVendor } from '../../../support/api/actors.ts';
import { call, refusal, textOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { startTwoProcesses } from '../../../support/api/two-processes.ts';
import { askToken, inProduction, newCredentialFixture } from './credential-fixture.ts';
// What an operator switched off stays off, whatever a token that is still valid asks for (D82).

const test = gatewayTest
  .extend('staff', { scope: 'file' }, async ({ gateway }) => (await newOperator(gateway)).token)
  .extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const revoked = refusal('FORBIDDEN', { reason: 'CREDENTIAL_REVOKED' });
const inactive = refusal('FORBIDDEN', { reason: 'VENDOR_INACTIVE' });

const switchAs = (gateway: Gateway, token: string, id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `/operator/v1/credentials/${id}/active`, { token, body: { isActive } });
const switchVendor = (gateway: Gateway, token: string, id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `/operator/v1/vendors/${id}/active`, { token, body: { isActive } });
const switchOwn = (gateway: Gateway, token: string, id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `/api/v1/credentials/${id}/active`, { token, body: { isActive } });
const generate = (gateway: Gateway, token: string, capabilities: string) =>
  call(gateway, 'POST', '/api/v1/credentials', {
    token,
    headers: inProduction,
    body: { capabilities },
  });
const remove = (gateway: Gateway, token: string, id: string) =>
  call(gateway, 'DELETE', `/api/v1/credentials/${id}`, { token });

/** A token of a credential of the vendor. */
const tokenOf = async (gateway: Gateway, known: { clientId: string; clientSecret: string }) =>
  textOf(await askToken(gateway, known), 'accessToken');

const all: readonly Capability[] = ['Offers', 'Stock', 'Cost', 'Orders', 'Account'];

test('a credential that an operator deactivated does nothing by its valid token', async ({
  gateway,
  staff,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(all);
  const other = await fixture.add(['Stock']);
  const token = await tokenOf(gateway, known);
  expect((await switchAs(gateway, staff, id, false)).status).toBe(200);
  const before = await fixture.rows();
  for (const answer of [
    await switchOwn(gateway, token, id, true),
    await generate(gateway, token, 'Stock'),
    await switchOwn(gateway, token, other.id, false),
    await remove(gateway, token, other.id),
    await remove(gateway, token, id),
  ])
    expect(answer).toMatchObject(revoked);
  expect(await fixture.rows()).toEqual(before);
  expect(await askToken(gateway, known)).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  // Deleted by another credential of its vendor, it still generates none.
  await fixture.remove(id);
  expect(await generate(gateway, token, all.join())).toMatchObject(revoked);
});

test.for([false, true])(
  'its vendor, who deactivated it before: %s, does not activate it, but deletes it',
  async (wasOff, { gateway, staff, fixture }) => {
    const { id } = await fixture.add(['Stock']);
    if (wasOff) await fixture.setActive(id, false);
    await switchAs(gateway, staff, id, false);
    expect(await fixture.setActive(id, true)).toMatchObject(revoked);
    expect((await fixture.setActive(id, false)).status).toBe(200);
    expect((await fixture.remove(id)).status).toBe(200);
  },
);

test('a credential that an operator activated again generates, and its vendor switches it', async ({
  gateway,
  staff,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Account', 'Stock']);
  const token = await tokenOf(gateway, known);
  await switchAs(gateway, staff, id, false);
  await switchAs(gateway, staff, id, true);
  expect((await generate(gateway, token, 'Stock')).status).toBe(201);
  for (const isActive of [false, true])
    expect((await fixture.setActive(id, isActive)).status).toBe(200);
});

test('tokens of a credential that the vendor deactivated or deleted stay valid (D54, D58)', async ({
  gateway,
  fixture,
}) => {
  const one = await fixture.add(['Account', 'Stock']);
  const two = await fixture.add(['Account', 'Stock']);
  const [switched, deleted] = [await tokenOf(gateway, one), await tokenOf(gateway, two)];
  await fixture.setActive(one.id, false);
  await fixture.remove(two.id);
  expect((await generate(gateway, switched, 'Stock')).status).toBe(201);
  expect((await generate(gateway, deleted, 'Stock')).status).toBe(201);
  expect((await switchOwn(gateway, switched, one.id, true)).status).toBe(200);
});

test('an inactive vendor cannot create, activate or delete credentials', async ({
  gateway,
  staff,
}) => {
  const { vendorId, credentialId, token } = await newVendor(gateway);
  await switchVendor(gateway, staff, vendorId, false);
  expect(await generate(gateway, token, 'Stock')).toMatchObject(inactive);
  expect(await switchOwn(gateway, token, credentialId, false)).toMatchObject(inactive);
  expect(await remove(gateway, token, credentialId)).toMatchObject(inactive);
  // The other routes check the claim alone (D58).
  const list = await call(gateway, 'GET', '/api/v1/credentials', { token, headers: inProduction });
  expect(list.status).toBe(200);
  await switchVendor(gateway, staff, vendorId, true);
  expect((await generate(gateway, token, 'Stock')).status).toBe(201);
});

test('a concurrent activation by the vendor never undoes a deactivation by an operator', async () => {
  const processes = await startTwoProcesses();
  try {
    const { one, both } = processes;
    const { token: staff } = await newOperator(one);
    for (let round = 0; round < raceRounds; round += 1) {
      const fixture = await newCredentialFixture(one);
      const { id, ...known } = await fixture.add(['Account']);
      const token = await tokenOf(one, known);
      await fixture.setActive(id, false);
      const ofVendor = () => switchOwn(both[0], token, id, true);
      const ofOperator = () => switchAs(both[1], staff, id, false);
      const [first, second] = round % 2 === 0 ? [ofVendor, ofOperator] : [ofOperator, ofVendor];
      const answers: readonly Answer[] = await Promise.all([first(), second()]);
      const vendors = answers[round % 2];
      // Before the operator's switch it succeeds; after it, it is refused.
      expect([200, 403]).toContain(vendors?.status);
      const stored = (await fixture.rows()).find((row) => row.id === id);
      expect(stored?.isActive).toBe(false);
      expect(await switchOwn(one, token, id, true)).toMatchObject(revoked);
    }
  } finally {
    await processes.close();
  }
});
