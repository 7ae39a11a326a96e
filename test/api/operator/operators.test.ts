import { expect } from 'vitest';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { newSecret, sha256 } from '../../../security/secrets.ts';
import { newOperator, type TestOperator } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, textOf, unknownId } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { instant } from '../../support/api/matchers.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { twoProcessesTest } from '../../support/api/two-processes.ts';
import { everyRow } from '../../support/database/all-rows.ts';
// Admins manage operators, and what they take away is gone at the next call (D86).

const invalid = refusal('UNAUTHORIZED_INVALID_TOKEN');

/** Gives each test a reviewer that the Admin created, with its calls. */
const test = gatewayTest.extend('reviewer', async ({ gateway, operate }) => {
  const operatorId = `reviewer-${unknownId()}`;
  const made = await operate('POST', '/operators', { operatorId, role: 'Reviewer' });
  const [id, secret] = [textOf(made, 'id'), textOf(made, 'operatorSecret')];
  const logIn = (operatorSecret = secret) =>
    call(gateway, 'POST', '/operator/v1/auth/token', { body: { operatorId, operatorSecret } });
  return {
    made,
    id,
    operatorId,
    secret,
    logIn,
    tokenBy: async (given = secret) => textOf(await logIn(given), 'accessToken'),
    read: (token: string, url = '/operator/v1/offers') => call(gateway, 'GET', url, { token }),
    setActive: (isActive: boolean) => operate('PATCH', `/operators/${id}/active`, { isActive }),
    rotate: () => operate('POST', `/operators/${id}/rotate-secret`),
  };
});

test('creates an operator with its role, and returns its secret this once', async ({
  gateway,
  operate,
  reviewer: { made, id, operatorId, secret, read, tokenBy },
}) => {
  expect(made.status).toBe(201);
  const form = { id, operatorId, roles: ['Reviewer'], isActive: true, createdAt: instant };
  expect(made.payload).toStrictEqual({ ...form, operatorSecret: expect.stringMatching(/^os_/) });
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect((await read(await tokenBy())).status).toBe(200);
  const listed = await operate('GET', '/operators');
  expect(itemsOf(listed)[0]).toStrictEqual(form);
  expect(listed.text).not.toContain(secret);
  expect(await everyRow(gateway)).not.toContain(secret);
});

test('refuses a login name that exists', async ({ operate, reviewer: { operatorId } }) => {
  const again = await operate('POST', '/operators', { operatorId, role: 'Admin' });
  expect(fieldErrorsOf(again)).toEqual(['OperatorId taken']);
});

test('refuses a blank login name and an unknown role', async ({ operate }) => {
  const wrong = await operate('POST', '/operators', { operatorId: ' ', role: 'Root' });
  expect(fieldErrorsOf(wrong)).toEqual(['OperatorId required', 'Role not_allowed']);
});

test('takes names that look the same for one operator', async ({ gateway, operate, reviewer }) => {
  const { operatorId, secret } = reviewer;
  const alike = [
    operatorId.toUpperCase(),
    ` ${operatorId}\u00a0`,
    `\u200f${operatorId}`,
    operatorId.replace('reviewer', 'ｒｅｖｉｅｗｅｒ'),
    operatorId.replace('-', '-\u200b'),
  ];
  for (const name of alike) {
    const again = await operate('POST', '/operators', { operatorId: name, role: 'Admin' });
    expect(fieldErrorsOf(again), name).toEqual(['OperatorId taken']);
    const body = { operatorId: name, operatorSecret: secret };
    const logIn = await call(gateway, 'POST', '/operator/v1/auth/token', { body });
    expect(logIn.status, name).toBe(200);
  }
  const found = await operate('GET', `/audit?operatorId=${encodeURIComponent(alike[0] ?? '')}`);
  expect(found.status).toBe(200);
  const turned = { operatorId: `\u202e${operatorId}`, role: 'Admin' };
  const refused = await operate('POST', '/operators', turned);
  expect(fieldErrorsOf(refused)).toEqual(['OperatorId invalid_characters']);
});

test('creates one of two operators whose names look the same, sent at once', async ({
  operate,
}) => {
  const name = `race-${unknownId()}`;
  const made = await Promise.all(
    [name, name.toUpperCase(), ` ${name}`].map((operatorId) =>
      operate('POST', '/operators', { operatorId, role: 'Reviewer' }),
    ),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(made.filter(({ status }) => status === 400)).toHaveLength(2);
});

test('refuses the old secret and every old token after a rotation', async ({
  reviewer: { logIn, read, rotate, tokenBy },
}) => {
  const token = await tokenBy();
  const rotated = await rotate();
  expect(rotated.status).toBe(200);
  expect(await read(token)).toMatchObject(invalid);
  expect(await logIn()).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  expect((await read(await tokenBy(textOf(rotated, 'operatorSecret')))).status).toBe(200);
});

test('refuses every token of a deactivated operator at the next call', async ({
  reviewer: { id, logIn, read, setActive, tokenBy },
}) => {
  const token = await tokenBy();
  expect(await setActive(false)).toMatchObject({ status: 200, payload: { id, isActive: false } });
  expect(await read(token)).toMatchObject(invalid);
  expect(await read(token, '/api/v1/webhooks')).toMatchObject(invalid);
  expect((await logIn()).status).toBe(401);
  await setActive(true);
  expect(await read(token)).toMatchObject(invalid);
  expect((await read(await tokenBy())).status).toBe(200);
});

test('audits each change once with its Admin, without the secret', async ({
  adminAccount,
  operate,
  reviewer: { id, secret, rotate, setActive },
}) => {
  const rotated = await rotate();
  await setActive(true);
  await setActive(false);
  const audit = await operate('GET', `/audit?subjectId=${id}`);
  const by = { operatorId: adminAccount.operatorId, subjectType: 'operator', subjectId: id };
  expect(itemsOf(audit).toReversed()).toMatchObject([
    { ...by, action: 'operator.create', before: null, after: { roles: ['Reviewer'] } },
    { ...by, action: 'operator.rotate-secret' },
    { ...by, action: 'operator.active', before: { isActive: true }, after: { isActive: false } },
  ]);
  for (const known of [secret, textOf(rotated, 'operatorSecret')])
    expect(audit.text).not.toContain(known);
});

twoProcessesTest(
  'keeps one of two Admins that deactivate each other, and the last one',
  async ({ processes: { one, at } }) => {
    for (let round = 0; round < raceRounds; round += 1) {
      await one.sql`update operators set is_active = false`;
      const [first, second] = [await newOperator(one), await newOperator(one)];
      const end = (index: number, { token }: TestOperator, { id }: TestOperator) => {
        const url = `/operator/v1/operators/${id}/active`;
        return call(at(index), 'PATCH', url, { token, body: { isActive: false } });
      };
      const responses = await Promise.all([
        end(round, first, second),
        end(round + 1, second, first),
      ]);
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
      const last = responses[0]?.status === 200 ? first : second;
      expect(await end(0, last, last)).toMatchObject(refusal('BUSINESS_OPERATOR_LAST_ADMIN'));
      // Other roles do not count: the last Admin stays.
      await newOperator(one, ['Reviewer', 'Operations']);
      expect((await end(0, last, last)).status).toBe(422);
    }
  },
);

test('restores neither a rotated secret nor a deactivated operator at a start', async ({
  gateway,
  reviewer: { id, operatorId, logIn, read, setActive, tokenBy },
}) => {
  const [first, second] = [newSecret('os'), newSecret('os')];
  const start = (secret: string) =>
    upsertOperator(gateway.sql, { id, operatorId, secretSha256: sha256(secret), roles: ['Admin'] });
  await start(first);
  const token = await tokenBy(first);
  await start(first);
  expect((await read(token)).status).toBe(200);
  // Another secret in the configuration refuses the tokens of the former.
  await start(second);
  expect(await read(token)).toMatchObject(invalid);
  expect((await logIn(second)).status).toBe(200);
  await setActive(false);
  await start(second);
  expect((await logIn(second)).status).toBe(401);
});
