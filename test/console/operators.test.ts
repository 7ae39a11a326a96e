import { expect } from 'vitest';
import { newOperator } from '../support/api/actors.ts';
import { consoleTest, failure, shows, signIn } from './console-fixture.ts';
// Operators, and the one time that a secret is shown (D86, D139).

const test = consoleTest
  .extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']))
  /** The home page by a session of the operator. */
  .extend('home', async ({ gateway, operator }) => {
    const headers = await signIn(gateway, operator);
    return async () => (await gateway.app.inject({ url: '/console', headers })).statusCode;
  });

const page = '/console/operators';
const secretForm = /os_[\w-]{43}/;

test('adds an operator, and shows its secret in that response only', async ({ gateway, admin }) => {
  const operatorId = `<b>${crypto.randomUUID()}`;
  const form = { act: 'create', operatorId, role: 'Reviewer' };
  const response = await admin.submit(page, form);
  expect(response).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
  const [operatorSecret = ''] = secretForm.exec(response.body) ?? [];
  expect(response.body).not.toContain(operatorId);
  await signIn(gateway, { operatorId, operatorSecret });
  const { body } = await admin.open(page);
  expect(body).toContain(operatorId.replace('<b>', '&lt;b&gt;'));
  expect(body).not.toMatch(secretForm);
  const again = await admin.submit(page, form);
  expect(again).toMatchObject(
    shows(400, /operatorId is, or looks like, the login name of another operator/i),
  );
  expect(again.body).not.toMatch(secretForm);
});

test('tells operators that they would switch themselves off', async ({ admin, gateway }) => {
  await newOperator(gateway);
  expect((await admin.read(page)).match(/This is you: you are signed out at once/g)).toHaveLength(
    1,
  );
});

test.for([
  ['adds an operator', () => ({ act: 'create', operatorId: crypto.randomUUID(), role: 'Admin' })],
  ['replaces a secret', ({ id }: { readonly id: string }) => ({ act: 'rotate-secret', id })],
] as const)(
  '%s once when the page of the secret is loaded again',
  async ([, formOf], { admin, gateway, operator }) => {
    const { body } = await admin.open(page);
    const keys = Array.from(body.matchAll(/name="key" value="([\da-f-]{36})" autocomplete="off"/g));
    const form = { ...formOf(operator), key: keys.at(-1)?.[1] ?? '' };
    const [first, again] = [await admin.submit(page, form), await admin.submit(page, form)];
    expect(again.statusCode).toBe(200);
    const secrets = [first, again].map((response) => secretForm.exec(response.body)?.[0]);
    expect(secrets[1]).toBe(secrets[0]);
    const { operatorId = operator.operatorId } = form as { operatorId?: string };
    await signIn(gateway, { operatorId, operatorSecret: secrets[0] ?? '' });
  },
);

test('shows the form of a secret again whose response is lost, on a later page of the list', async ({
  admin,
  gateway,
  operator,
  intercept,
}) => {
  await gateway.sql`
    insert into operators (id, operator_id, secret_sha256, roles)
    select uuidv7(), 'later ' || n, sha256(''), '{Reviewer}' from generate_series(1, 50) as n`;
  const { id } = operator;
  const later = await admin.read(`${page}?page=2`);
  const key = new RegExp(
    `value="rotate-secret"[^>]*><input[^>]*value="${id}"[^]*?name="key" value="([^"]*)"`,
  );
  const form = { act: 'rotate-secret', id, page: '2', key: key.exec(later)?.[1] ?? '' };
  let isLost = true;
  intercept(async (options, call) => {
    const response = await call();
    return isLost && options.headers?.['idempotency-key'] ? failure(503) : response;
  });
  const { body } = await admin.submit(page, form);
  expect(key.exec(body)?.[1]).toBe(form.key);
  isLost = false;
  expect((await admin.submit(page, form)).body).toMatch(secretForm);
});

test('replaces a secret, which ends the sessions of the operator', async ({
  gateway,
  admin,
  operator,
  home,
}) => {
  const response = await admin.submit(page, { act: 'rotate-secret', id: operator.id });
  expect(response.statusCode).toBe(200);
  const [operatorSecret = ''] = secretForm.exec(response.body) ?? [];
  expect(await home()).toBe(303);
  await signIn(gateway, { ...operator, operatorSecret });
});

test('switches an operator off, which ends its sessions, and on again', async ({
  gateway,
  admin,
  operator,
  home,
}) => {
  const form = { act: 'active', id: operator.id };
  const off = await admin.submit(page, { ...form, isActive: 'false' });
  expect(off).toMatchObject({ statusCode: 303, headers: { location: page } });
  expect(await home()).toBe(303);
  await expect(signIn(gateway, operator)).rejects.toThrow('no session');
  await admin.submit(page, { ...form, isActive: 'true' });
  await signIn(gateway, operator);
  expect(await home()).toBe(303);
});
