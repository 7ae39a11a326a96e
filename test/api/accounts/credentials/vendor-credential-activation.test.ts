import { expect } from 'vitest';
import { askToken, newCredentialFixture, yesterday } from './credential-fixture.ts';
import { call, itemsOf, refusal, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// Activation and deactivation, but for the union rule (D53, D55, D68).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const entriesOf = async (gateway: Gateway, id: string) =>
  (await gateway.sql`select from audit_log where subject_id = ${id}`).length;

test('returns the credential as the list has it, and its tokens follow the state', async ({
  gateway,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Stock']);
  for (const isActive of [false, true]) {
    const answer = await fixture.setActive(id.toUpperCase(), isActive);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const listed = itemsOf(await fixture.list()).find((item) => item['id'] === id);
    expect(answer.payload).toStrictEqual(listed);
    expect(answer.payload).toMatchObject({ id, isActive, capabilities: 'Stock' });
    expect(answer.text).not.toContain(known.clientSecret);
    expect((await askToken(gateway, known)).status).toBe(isActive ? 200 : 401);
  }
});

test('changes nothing when the state is the current one, despite the union rule', async ({
  gateway,
  fixture,
}) => {
  const { id } = await fixture.add(['Cost']);
  // It alone holds Cost then, and is the only one at last: had it to be given anew, it could not
  // be.
  await fixture.setActive(fixture.vendor.credentialId, false);
  const before = await fixture.rows();
  expect((await fixture.setActive(id, true)).payload).toMatchObject({ id, isActive: true });
  expect((await fixture.setActive(fixture.vendor.credentialId, false)).status).toBe(200);
  expect(await fixture.rows()).toEqual(before);
  expect(await entriesOf(gateway, id)).toBe(0);
  expect(await entriesOf(gateway, fixture.vendor.credentialId)).toBe(1);
});

test('deactivates the last and own credential, which then only an operator activates', async ({
  gateway,
  fixture,
}) => {
  const { vendor } = fixture;
  const { token, credentialId } = vendor;
  const url = `/api/v1/credentials/${credentialId}/active`;
  const off = await call(gateway, 'PATCH', url, { token, body: { isActive: false } });
  expect(off).toMatchObject({ status: 200, payload: { id: credentialId, isActive: false } });
  // The token is good still (D58).
  const on = await call(gateway, 'PATCH', url, { token, body: { isActive: true } });
  expect(on).toMatchObject(refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING'));
  expect((await fixture.rows()).map(({ isActive }) => isActive)).toEqual([false]);
  expect((await askToken(gateway, vendor)).status).toBe(401);
});

test('leaves an expired credential inactive, without a token, and counts it nowhere', async ({
  gateway,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Stock'], { expiresAt: yesterday() });
  for (const isActive of [true, false, true]) {
    const answer = await fixture.setActive(id, isActive);
    expect(answer).toMatchObject({ status: 200, payload: { id, isActive: false } });
    expect((await askToken(gateway, known)).status).toBe(401);
  }
  await fixture.remove(fixture.vendor.credentialId);
  expect(await fixture.generate({ capabilities: 'Stock' })).toMatchObject(
    refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING'),
  );
});

test('switches a credential of another environment without the header', async ({ fixture }) => {
  const { id } = await fixture.add(['Stock'], { environment: 'Sandbox' });
  for (const isActive of [false, true]) {
    const answer = await fixture.setActive(id, isActive);
    expect(answer).toMatchObject({
      status: 200,
      payload: { id, isActive, environment: 'Sandbox' },
    });
  }
});
