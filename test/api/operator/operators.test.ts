import { expect } from 'vitest';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { newSecret, sha256 } from '../../../security/secrets.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { everyRow } from '../accounts/credentials/credential-fixture.ts';
import { newOperator } from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Answer,
  type Gateway,
} from '../../support/api/api.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { startTwoProcesses } from '../../support/api/two-processes.ts';
// Admins manage operators, and what they take away is gone at the next call (D86).

const test = gatewayTest.extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const operators = '/operator/v1/operators';
const queue = '/operator/v1/offers';
const invalid = refusal('UNAUTHORIZED_INVALID_TOKEN');

const create = (gateway: Gateway, token: string, body: unknown) =>
  call(gateway, 'POST', operators, { token, body });
const rotate = (gateway: Gateway, token: string, id: string) =>
  call(gateway, 'POST', `${operators}/${id}/rotate-secret`, { token });
const setActive = (gateway: Gateway, token: string, id: string, isActive: boolean) =>
  call(gateway, 'PATCH', `${operators}/${id}/active`, { token, body: { isActive } });
const logIn = (gateway: Gateway, operatorId: string, operatorSecret: string) =>
  call(gateway, 'POST', '/operator/v1/auth/token', { body: { operatorId, operatorSecret } });
const tokenOf = async (gateway: Gateway, { payload }: Answer) =>
  textOf(
    await logIn(gateway, String(payload?.['operatorId']), String(payload?.['operatorSecret'])),
    'accessToken',
  );

test('creates an operator with its role, and returns its secret this once', async ({
  gateway,
  admin,
}) => {
  const made = await create(gateway, admin.token, { operatorId: 'sara', role: 'Reviewer' });
  expect(made.status).toBe(201);
  const form = {
    id: expect.any(String),
    operatorId: 'sara',
    roles: ['Reviewer'],
    isActive: true,
    createdAt: expect.stringMatching(/Z$/),
  };
  expect(made.payload).toStrictEqual({ ...form, operatorSecret: expect.stringMatching(/^os_/) });
  const secret = textOf(made, 'operatorSecret');
  expect(secret.length).toBeGreaterThanOrEqual(32);
  const token = await tokenOf(gateway, made);
  expect((await call(gateway, 'GET', queue, { token })).status).toBe(200);
  expect(await create(gateway, token, {})).toMatchObject(
    refusal('FORBIDDEN', { requiredRole: 'Admin' }),
  );
  const listed = await call(gateway, 'GET', operators, { token: admin.token });
  expect(itemsOf(listed)[0]).toStrictEqual(form);
  expect(listed.text).not.toContain(secret);
  expect(await everyRow(gateway)).not.toContain(secret);
});

test('refuses a login name that exists, and an unknown role', async ({ gateway, admin }) => {
  await create(gateway, admin.token, { operatorId: 'lina', role: 'Operations' });
  const again = await create(gateway, admin.token, { operatorId: 'lina', role: 'Admin' });
  expect(fieldErrorsOf(again)).toEqual(['OperatorId taken']);
  const wrong = await create(gateway, admin.token, { operatorId: ' ', role: 'Root' });
  expect(fieldErrorsOf(wrong)).toEqual(['OperatorId required', 'Role not_allowed']);
});

test('refuses the old secret and every old token after a rotation', async ({ gateway, admin }) => {
  const made = await create(gateway, admin.token, { operatorId: 'omar', role: 'Reviewer' });
  const token = await tokenOf(gateway, made);
  const rotated = await rotate(gateway, admin.token, textOf(made, 'id'));
  expect(rotated.status).toBe(200);
  expect(await call(gateway, 'GET', queue, { token })).toMatchObject(invalid);
  const old = await logIn(gateway, 'omar', textOf(made, 'operatorSecret'));
  expect(old).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  const next = await tokenOf(gateway, rotated);
  expect((await call(gateway, 'GET', queue, { token: next })).status).toBe(200);
});

test('refuses every token of a deactivated operator at the next call', async ({
  gateway,
  admin,
}) => {
  const made = await create(gateway, admin.token, { operatorId: 'huda', role: 'Reviewer' });
  const id = textOf(made, 'id');
  const token = await tokenOf(gateway, made);
  const off = await setActive(gateway, admin.token, id, false);
  expect(off).toMatchObject({ status: 200, payload: { id, isActive: false } });
  for (const url of [queue, '/api/v1/webhooks'])
    expect(await call(gateway, 'GET', url, { token })).toMatchObject(invalid);
  expect((await logIn(gateway, 'huda', textOf(made, 'operatorSecret'))).status).toBe(401);
  await setActive(gateway, admin.token, id, true);
  expect(await call(gateway, 'GET', queue, { token })).toMatchObject(invalid);
  const next = await tokenOf(gateway, made);
  expect((await call(gateway, 'GET', queue, { token: next })).status).toBe(200);
});

test('audits each change once with its Admin, without the secret', async ({ gateway, admin }) => {
  const made = await create(gateway, admin.token, { operatorId: 'yara', role: 'Reviewer' });
  const id = textOf(made, 'id');
  const rotated = await rotate(gateway, admin.token, id);
  await setActive(gateway, admin.token, id, true);
  await setActive(gateway, admin.token, id, false);
  const url = `/operator/v1/audit?subjectId=${id}`;
  const audit = await call(gateway, 'GET', url, { token: admin.token });
  const by = { operatorId: admin.operatorId, subjectType: 'operator', subjectId: id };
  expect(itemsOf(audit).toReversed()).toMatchObject([
    { ...by, action: 'operator.create', before: null, after: { roles: ['Reviewer'] } },
    { ...by, action: 'operator.rotate-secret' },
    { ...by, action: 'operator.active', before: { isActive: true }, after: { isActive: false } },
  ]);
  for (const answer of [made, rotated])
    expect(audit.text).not.toContain(textOf(answer, 'operatorSecret'));
});

test('keeps one of two Admins that deactivate each other, and the last one', async () => {
  const processes = await startTwoProcesses();
  try {
    const { one, both } = processes;
    for (let round = 0; round < raceRounds; round += 1) {
      await one.sql`update operators set is_active = false`;
      const [first, second] = [await newOperator(one), await newOperator(one)];
      const answers = await Promise.all([
        setActive(both[round % 2 === 0 ? 0 : 1], first.token, second.id, false),
        setActive(both[round % 2 === 0 ? 1 : 0], second.token, first.id, false),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
      const last = answers[0]?.status === 200 ? first : second;
      expect(await setActive(one, last.token, last.id, false)).toMatchObject({
        status: 422,
        state: 'BUSINESS_OPERATOR_LAST_ADMIN',
      });
      // Other roles do not count: the last Admin stays.
      await newOperator(one, ['Reviewer', 'Operations']);
      expect((await setActive(one, last.token, last.id, false)).status).toBe(422);
    }
  } finally {
    await processes.close();
  }
});

test('a start restores neither a rotated secret nor a deactivated operator', async ({
  gateway,
  admin,
}) => {
  const configured = newSecret('os');
  const start = (secret = configured) =>
    upsertOperator(gateway.sql, {
      id: unknownId(),
      operatorId: 'configured',
      secretSha256: sha256(secret),
      roles: ['Admin'],
    });
  await start();
  const token = textOf(await logIn(gateway, 'configured', configured), 'accessToken');
  await start();
  expect((await call(gateway, 'GET', queue, { token })).status).toBe(200);
  // Another secret in the configuration refuses the tokens of the former.
  const second = newSecret('os');
  await start(second);
  expect(await call(gateway, 'GET', queue, { token })).toMatchObject(invalid);
  expect((await logIn(gateway, 'configured', second)).status).toBe(200);
  const listed = await call(gateway, 'GET', operators, { token: admin.token });
  const found = itemsOf(listed).find((item) => item['operatorId'] === 'configured');
  await setActive(gateway, admin.token, String(found?.['id']), false);
  await start(second);
  expect((await logIn(gateway, 'configured', second)).status).toBe(401);
});
