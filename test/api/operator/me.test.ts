import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { call, fieldErrorsOf } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// Operators of every role choose their own settings (D165).

const url = '/operator/v1/me';
const nothing = { language: null, timeZone: null, keys: true };

const test = gatewayTest.extend('me', async ({ gateway }) => {
  const operator = await newOperator(gateway, ['Operations']);
  return {
    ...operator,
    read: async () => (await call(gateway, 'GET', url, { token: operator.token })).payload,
    change: (body: object) => call(gateway, 'PATCH', url, { token: operator.token, body }),
  };
});

test.for(['Reviewer', 'Operations', 'Admin'] as const)(
  'lets a %s choose its own settings, and changes no other operator',
  async (role, { gateway, me }) => {
    const { token } = await newOperator(gateway, [role]);
    const body = { language: 'ar', timeZone: 'Asia/Riyadh', keys: false };
    const changed = await call(gateway, 'PATCH', url, { token, body });
    expect(changed).toMatchObject({ status: 200, payload: body });
    expect((await call(gateway, 'GET', url, { token })).payload).toStrictEqual(body);
    expect(await me.read()).toStrictEqual(nothing);
  },
);

test('keeps what is omitted, and takes null back to nothing', async ({ me }) => {
  expect(await me.read()).toStrictEqual(nothing);
  await me.change({ language: 'en', timeZone: 'Europe/Paris' });
  await me.change({ keys: false });
  expect(await me.read()).toStrictEqual({ language: 'en', timeZone: 'Europe/Paris', keys: false });
  expect((await me.change({ timeZone: null })).payload).toMatchObject({ timeZone: null });
});

test('records each change of the settings once', async ({ gateway, me }) => {
  await me.change({ timeZone: 'UTC' });
  await me.change({ timeZone: 'UTC' });
  await me.change({});
  const entries = await gateway.sql`
    select action, before, after from audit_log where subject_id = ${me.id}`;
  expect(entries).toEqual([
    { action: 'operator.settings', before: nothing, after: { ...nothing, timeZone: 'UTC' } },
  ]);
});

test.for([
  [{ language: 'fr' }, 'Language not_allowed'],
  [{ timeZone: 'Asia/Atlantis' }, 'TimeZone invalid_time_zone'],
  [{ timeZone: '+03:00' }, 'TimeZone invalid_time_zone'],
  [{ timeZone: '' }, 'TimeZone invalid_time_zone'],
  [{ keys: 'no' }, 'Keys invalid_type'],
  [{ keys: null }, 'Keys invalid_type'],
  [{ roles: ['Admin'] }, 'Roles unknown_field'],
] as const)('refuses %j', async ([body, error], { me }) => {
  const refused = await me.change(body);
  expect(refused.status).toBe(400);
  expect(fieldErrorsOf(refused)).toEqual([error]);
  expect(await me.read()).toStrictEqual(nothing);
});
