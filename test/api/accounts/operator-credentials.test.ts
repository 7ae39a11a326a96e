import { afterAll, beforeAll, expect, test } from 'vitest';
import { newOperator, newVendor, type TestOperator } from '../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Gateway,
} from '../support/api.ts';

let gateway: Gateway;
let admin: TestOperator;

beforeAll(async () => {
  gateway = await startGateway();
  admin = await newOperator(gateway);
});
afterAll(() => gateway.close());

const issue = (vendorId: string, body: unknown) =>
  call(gateway, 'POST', `/operator/v1/vendors/${vendorId}/credentials`, {
    token: admin.token,
    body,
  });
const list = (vendorId: string) =>
  call(gateway, 'GET', `/operator/v1/vendors/${vendorId}/credentials`, { token: admin.token });
const switchTo = (id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `/operator/v1/credentials/${id}/active`, {
    token: admin.token,
    body: { isActive },
  });
const askToken = (body: unknown) => call(gateway, 'POST', '/api/v1/auth/token', { body });

test('a credential is every field of it and the secret, once; its capabilities in the order of the specification', async () => {
  const { vendorId, credentialId } = await newVendor(gateway);
  const made = await issue(vendorId, {
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

  const listed = await list(vendorId);
  expect(itemsOf(listed)[0]).toStrictEqual(form);
  expect(itemsOf(listed).map(({ id }) => id)).toEqual([textOf(made, 'id'), credentialId]);
  expect(listed.text).not.toContain(textOf(made, 'clientSecret'));
});

test('the issued secret gets a token with exactly its capabilities', async () => {
  const { vendorId } = await newVendor(gateway);
  const made = await issue(vendorId, { environment: 'Production', capabilities: 'Stock' });
  const [clientId, clientSecret] = [textOf(made, 'clientId'), textOf(made, 'clientSecret')];
  const token = textOf(await askToken({ clientId, clientSecret }), 'accessToken');
  expect(gateway.dependencies.tokens.verify(token)).toMatchObject({
    vendorId,
    capabilities: ['Stock'],
  });
});

test('neither the audit nor the record keeps the secret', async () => {
  const { vendorId } = await newVendor(gateway);
  const made = await issue(vendorId, { environment: 'Production', capabilities: 'Stock' });
  const id = textOf(made, 'id');
  const rows = await gateway.sql`
    select action, operator_id, after, audit_log::text as everything from audit_log where subject_id = ${id}`;
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

test.each([
  [{}, ['Capabilities required', 'Environment required']],
  [{ environment: 'Sandbox', capabilities: 'Stock' }, ['Environment not_allowed']],
  [
    { environment: 'production', capabilities: 'stock' },
    ['Capabilities invalid_capabilities', 'Environment not_allowed'],
  ],
  [{ environment: 'Production', capabilities: '' }, ['Capabilities invalid_capabilities']],
  [{ environment: 'Production', capabilities: 'Stock,' }, ['Capabilities invalid_capabilities']],
  [{ environment: 'Production', capabilities: ['Stock'] }, ['Capabilities invalid_type']],
  [
    { environment: 'Production', capabilities: 'Stock', clientId: 'mine' },
    ['ClientId unknown_field'],
  ],
])('the credential %j is refused: %j', async (body, errors) => {
  const { vendorId } = await newVendor(gateway);
  const answer = await issue(vendorId, body);
  expect(answer.status).toBe(400);
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('a credential that is switched off gets no token until it is on again, and is listed all along', async () => {
  const { vendorId, credentialId, clientId, clientSecret } = await newVendor(gateway);
  const off = await switchTo(credentialId, false);
  expect(off).toMatchObject({ status: 200, payload: { id: credentialId, isActive: false } });
  expect(itemsOf(await list(vendorId))).toMatchObject([{ id: credentialId, isActive: false }]);
  expect((await askToken({ clientId, clientSecret })).status).toBe(401);
  expect((await switchTo(credentialId, true)).payload).toMatchObject({ isActive: true });
  expect((await askToken({ clientId, clientSecret })).status).toBe(200);
  const rows =
    await gateway.sql`select before, after from audit_log where subject_id = ${credentialId} order by id`;
  expect(rows).toEqual([
    { before: { isActive: true }, after: { isActive: false } },
    { before: { isActive: false }, after: { isActive: true } },
  ]);
});

test('an unknown vendor or credential is 404', async () => {
  for (const id of [unknownId(), 'x']) {
    const body = { environment: 'Production', capabilities: 'Stock' };
    expect(await issue(id, body)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await list(id)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await switchTo(id, true)).toMatchObject(refusal('NOT_FOUND_VENDOR_CREDENTIAL'));
  }
});
