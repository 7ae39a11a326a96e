import { expect } from 'vitest';
import { tokenWith } from '../../support/actors.ts';
import { askToken, newCredentialFixture, yesterday } from './credential-fixture.ts';
import { call, fieldErrorsOf, itemsOf, refusal, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// Activation and deactivation, but for the union rule (D53, D55, D68).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const entriesOf = async (gateway: Gateway, id: string) =>
  (await gateway.sql`select from audit_log where subject_id = ${id}`).length;

test('deactivation and activation answer the listed credential, without the secret', async ({
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
  }
});

test('what is switched off gets no token, and gets one again when it is on', async ({
  gateway,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Stock']);
  await fixture.setActive(id, false);
  expect(await askToken(gateway, known)).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  await fixture.setActive(id, true);
  expect((await askToken(gateway, known)).status).toBe(200);
});

test('setting the current state is 200 and changes nothing, despite the union rule', async ({
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

test('the last and own credential can be deactivated; then only operators activate one', async ({
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

test('an expired credential stays inactive after an activation: no token, counted nowhere', async ({
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

test('one of another environment is switched without naming the environment', async ({
  fixture,
}) => {
  const { id } = await fixture.add(['Stock'], { environment: 'Sandbox' });
  for (const isActive of [false, true]) {
    const answer = await fixture.setActive(id, isActive);
    expect(answer).toMatchObject({
      status: 200,
      payload: { id, isActive, environment: 'Sandbox' },
    });
  }
});

test.for<[unknown, readonly string[]]>([
  [{}, ['IsActive required']],
  [{ isActive: null }, ['IsActive invalid_type']],
  [{ isActive: 'false' }, ['IsActive invalid_type']],
  [{ isActive: 0 }, ['IsActive invalid_type']],
  [{ isActive: false, capabilities: 'Stock' }, ['Capabilities unknown_field']],
  ['[]', ['Body invalid_type']],
] as const)(
  'the body %j is 400 and switches nothing',
  async ([body, errors], { gateway, fixture }) => {
    const { token, credentialId } = fixture.vendor;
    const answer = await call(gateway, 'PATCH', `/api/v1/credentials/${credentialId}/active`, {
      token,
      body,
    });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
    expect((await fixture.rows()).map(({ isActive }) => isActive)).toEqual([true]);
  },
);

test('creating, activating and deleting credentials require Account', async ({
  gateway,
  fixture,
}) => {
  const { vendor } = fixture;
  const token = tokenWith(gateway, vendor, ['Offers', 'Stock', 'Cost', 'Orders']);
  const url = `/api/v1/credentials/${vendor.credentialId}`;
  const refused = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Account' });
  expect(await fixture.generate({ capabilities: 'Stock' }, token)).toMatchObject(refused);
  expect(await call(gateway, 'DELETE', url, { token })).toMatchObject(refused);
  const body = { isActive: false };
  expect(await call(gateway, 'PATCH', `${url}/active`, { token, body })).toMatchObject(refused);
  expect((await fixture.rows()).map(({ isActive }) => isActive)).toEqual([true]);
});
