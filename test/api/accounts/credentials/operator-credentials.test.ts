import { expect } from 'vitest';
import { newOperator, newVendor, type TestOperator } from '../../support/actors.ts';
import { call, itemsOf, textOf, type Gateway } from '../../support/api.ts';
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

test('returns every field and, this once, the secret', async ({ gateway, admin }) => {
  const { vendorId, credentialId } = await newVendor(gateway);
  const made = await issue(gateway, admin, vendorId, {
    environment: 'Production',
    capabilities: 'Orders, Offers ,Orders',
  });
  expect(made.status).toBe(201);
  const form = {
    id: expect.any(String),
    environment: 'Production',
    clientId: expect.stringMatching(/^vc_/),
    capabilities: 'Offers,Orders',
    expirationDate: expect.stringMatching(/Z$/),
    isActive: true,
    createdAt: expect.stringMatching(/Z$/),
  };
  expect(made.payload).toStrictEqual({ ...form, clientSecret: expect.stringMatching(/^vs_/) });
  const lifetimeMs =
    Date.parse(textOf(made, 'expirationDate')) - Date.parse(textOf(made, 'createdAt'));
  expect(Math.round(lifetimeMs / 86_400_000)).toBe(365);

  const listed = await list(gateway, admin, vendorId);
  expect(itemsOf(listed)[0]).toStrictEqual(form);
  expect(itemsOf(listed).map(({ id }) => id)).toEqual([textOf(made, 'id'), credentialId]);
  expect(listed.text).not.toContain(textOf(made, 'clientSecret'));
});

test('stores the secret neither in the audit log nor in the record', async ({ gateway, admin }) => {
  const { vendorId } = await newVendor(gateway);
  const made = await issue(gateway, admin, vendorId, {
    environment: 'Production',
    capabilities: 'Stock',
  });
  const id = textOf(made, 'id');
  const rows = await gateway.sql`
    select action, operator_id, after, audit_log::text as everything from audit_log
    where subject_id = ${id}`;
  expect(rows).toMatchObject([
    {
      action: 'credential.create',
      operatorId: admin.id,
      after: { vendorId, id, capabilities: 'Stock' },
    },
  ]);
  const secret = textOf(made, 'clientSecret');
  expect(String(rows[0]?.['everything'])).not.toContain(secret);
  const [row] =
    await gateway.sql`select credentials::text as everything from credentials where id = ${id}`;
  expect(String(row?.['everything'])).not.toContain(secret);
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
