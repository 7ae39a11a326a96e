import { expect } from 'vitest';
import { newOperator, newVendor, type TestOperator } from '../../../support/api/actors.ts';
import { call, itemsOf, textOf, type Gateway } from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const issue = (gateway: Gateway, admin: TestOperator, vendorId: string, body: unknown) =>
  call(gateway, 'POST', `/operator/v1/vendors/${vendorId}/credentials`, {
    token: admin.token,
    body,
  });
const list = (gateway: Gateway, admin: TestOperator, vendorId: string) =>
  call(gateway, 'GET', `/operator/v1/vendors/${vendorId}/credentials`, { token: admin.token });
const switchTo = (gateway: Gateway, admin: TestOperator, id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `/operator/v1/credentials/${id}/active`, {
    token: admin.token,
    body: { isActive },
  });
const askToken = (gateway: Gateway, body: unknown) =>
  call(gateway, 'POST', '/api/v1/auth/token', { body });

test('shows the secret once, and stores it neither in the record nor in the audit log', async ({
  gateway,
  admin,
}) => {
  const { vendorId, credentialId } = await newVendor(gateway);
  const body = { environment: 'Production', capabilities: 'Orders, Offers ,Orders' };
  const made = await issue(gateway, admin, vendorId, body);
  expect(made.status).toBe(201);
  const { clientSecret, ...shown } = made.payload ?? {};
  expect(shown).toStrictEqual({
    id: uuid,
    environment: 'Production',
    clientId: expect.stringMatching(/^vc_/),
    capabilities: 'Offers,Orders',
    expirationDate: instant,
    isActive: true,
    createdAt: instant,
  });
  expect(clientSecret).toMatch(/^vs_/);
  const lifeMs = Date.parse(textOf(made, 'expirationDate')) - Date.parse(textOf(made, 'createdAt'));
  expect(Math.round(lifeMs / 86_400_000)).toBe(365);
  const listed = await list(gateway, admin, vendorId);
  expect(itemsOf(listed)).toMatchObject([shown, { id: credentialId }]);
  const id = textOf(made, 'id');
  const entries = await gateway.sql`select * from audit_log where subject_id = ${id}`;
  const after = { vendorId, id, capabilities: 'Offers,Orders' };
  expect(entries).toMatchObject([{ action: 'credential.create', operatorId: admin.id, after }]);
  const rows = await gateway.sql`select credentials::text from credentials where id = ${id}`;
  for (const text of [listed.text, JSON.stringify(entries), JSON.stringify(rows)])
    expect(text).not.toContain(String(clientSecret));
});

test('gives a deactivated credential no token until its activation, and lists it', async ({
  gateway,
  admin,
}) => {
  const { vendorId, credentialId, clientId, clientSecret } = await newVendor(gateway);
  const off = await switchTo(gateway, admin, credentialId, false);
  expect(off).toMatchObject({ status: 200, payload: { id: credentialId, isActive: false } });
  expect(itemsOf(await list(gateway, admin, vendorId))).toMatchObject([
    { id: credentialId, isActive: false },
  ]);
  expect((await askToken(gateway, { clientId, clientSecret })).status).toBe(401);
  expect((await switchTo(gateway, admin, credentialId, true)).payload).toMatchObject({
    isActive: true,
  });
  expect((await askToken(gateway, { clientId, clientSecret })).status).toBe(200);
  const rows = await gateway.sql`
      select before, after from audit_log where subject_id = ${credentialId} order by id`;
  expect(rows).toEqual([
    { before: { isActive: true }, after: { isActive: false } },
    { before: { isActive: false }, after: { isActive: true } },
  ]);
});
