import { expect } from 'vitest';
import { newOperator, tokenWith } from '../../../support/api/actors.ts';
import { inProduction, newCredentialFixture } from './credential-fixture.ts';
import { call, itemsOf, textOf, unknownId, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// A hard delete leaves no other trace: what vendors do to their credentials and profile is in the
// log of the operators.

const test = gatewayTest.extend(
  'admin',
  { scope: 'file' },
  async ({ gateway }) => (await newOperator(gateway)).token,
);

const entriesOf = async (gateway: Gateway, admin: string, subjectId: string) =>
  itemsOf(
    await call(gateway, 'GET', `/operator/v1/audit?subjectId=${subjectId}`, { token: admin }),
  ).toReversed();

test('logs each change of a credential with caller, time, request, before and after', async ({
  gateway,
  admin,
}) => {
  const { vendor } = await newCredentialFixture(gateway);
  const { token, vendorId, credentialId } = vendor;
  const url = '/api/v1/credentials';
  const send = (
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    requestId: string,
    body?: unknown,
  ) =>
    call(gateway, method, url + path, {
      token,
      body,
      headers: { ...inProduction, 'x-request-id': requestId },
    });
  const made = await send('POST', '', 'made', { capabilities: 'Stock' });
  const id = textOf(made, 'id');
  await send('PATCH', `/${id}/active`, 'off', { isActive: false });
  await send('PATCH', `/${id}/active`, 'on', { isActive: true });
  await send('DELETE', `/${id}`, 'gone');
  const { clientSecret: _once, ...shown } = made.payload ?? {};
  const entry = (action: string, requestId: string, before: unknown, after: unknown) => ({
    id: expect.any(Number),
    at: expect.stringMatching(/Z$/),
    operatorId: null,
    credentialId,
    action: `credential.${action}`,
    subjectType: 'credential',
    subjectId: id,
    requestId,
    before,
    after,
  });
  const [on, off] = [{ isActive: true }, { isActive: false }];
  expect(await entriesOf(gateway, admin, id)).toStrictEqual([
    entry('create', 'made', null, { vendorId, ...shown }),
    entry('active', 'off', on, off),
    entry('active', 'on', off, on),
    entry('delete', 'gone', { vendorId, ...shown }, null),
  ]);
});

test("names the operator and no credential in an operator's entry", async ({ gateway, admin }) => {
  const fixture = await newCredentialFixture(gateway);
  const { id } = await fixture.add(['Stock']);
  const operator = await newOperator(gateway);
  const url = `/operator/v1/credentials/${id}/active`;
  await fixture.setActive(id, false);
  await call(gateway, 'PATCH', url, { token: operator.token, body: { isActive: true } });
  const { credentialId } = fixture.vendor;
  expect(await entriesOf(gateway, admin, id)).toMatchObject([
    { operatorId: null, credentialId, after: { isActive: false } },
    { operatorId: operator.operatorId, credentialId: null, after: { isActive: true } },
  ]);
  const query = `/operator/v1/audit?operatorId=${operator.operatorId}`;
  expect(itemsOf(await call(gateway, 'GET', query, { token: admin }))).toHaveLength(1);
});

test('stores entries of exactly one actor or a command only', async ({ gateway }) => {
  const { vendor } = await newCredentialFixture(gateway);
  const { id: operator } = await newOperator(gateway);
  const insert = (
    operatorId: string | null,
    credentialId: string | null,
    isCommand = false,
  ) => gateway.sql`
    insert into audit_log
      (operator_id, credential_id, is_command, action, subject_type, subject_id, request_id)
    values (${operatorId}, ${credentialId}, ${isCommand}, 'test', 'vendor', ${unknownId()}, 'r')`;
  await expect(insert(null, null)).rejects.toThrow('audit_log_one_actor');
  await expect(insert(operator, vendor.credentialId)).rejects.toThrow('audit_log_one_actor');
  await expect(insert(operator, null, true)).rejects.toThrow('audit_log_one_actor');
  await insert(null, null, true);
  await insert(operator, null);
  await insert(null, vendor.credentialId);
});

test('logs no refused change', async ({ gateway }) => {
  const fixture = await newCredentialFixture(gateway, ['Account']);
  const off = await fixture.add(['Cost'], { isActive: false });
  const before = await gateway.sql`select count(*)::int as entries from audit_log`;
  const other = await newCredentialFixture(gateway);
  const answers = [
    await fixture.generate({ capabilities: 'Cost' }),
    await fixture.generate({ capabilities: 'x' }),
    await fixture.setActive(off.id, true),
    await fixture.setActive(other.vendor.credentialId, false),
    await fixture.remove(other.vendor.credentialId),
    await call(gateway, 'DELETE', `/api/v1/credentials/${off.id}`, {
      token: tokenWith(gateway, fixture.vendor, ['Orders']),
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 400, 403, 404, 404, 403]);
  expect(await gateway.sql`select count(*)::int as entries from audit_log`).toEqual(before);
});
