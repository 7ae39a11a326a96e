import { expect } from 'vitest';
import { newOperator } from '../support/api/actors.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { browserOf, signIn } from './console-fixture.ts';
// Operators, and the one time that a secret is shown (D86, D139).

const test = gatewayTest
  .extend('admin', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Admin'))
  .extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']));

const page = '/console/operators';
const secretForm = /os_[\w-]{43}/;

test('adds an operator, and shows its secret in the answer only', async ({ gateway, admin }) => {
  const operatorId = `<b>${crypto.randomUUID()}`;
  const answer = await admin.submit(page, { act: 'create', operatorId, role: 'Reviewer' });
  expect(answer).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
  const [operatorSecret = ''] = secretForm.exec(answer.body) ?? [];
  expect(answer.body).not.toContain(operatorId);
  await signIn(gateway, { id: '', token: '', operatorId, operatorSecret });
  const { body } = await admin.open(page);
  expect(body).toContain(operatorId.replace('<b>', '&lt;b&gt;'));
  expect(body).not.toMatch(secretForm);
  const again = await admin.submit(page, { act: 'create', operatorId, role: 'Reviewer' });
  expect(again.statusCode).toBe(400);
  expect(again.body).toMatch(/operatorId is the login name of another operator/i);
  expect(again.body).not.toMatch(secretForm);
});

test('replaces a secret, which ends the sessions of the operator', async ({
  gateway,
  admin,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  const answer = await admin.submit(page, { act: 'rotate-secret', id: operator.id });
  expect(answer.statusCode).toBe(200);
  const [operatorSecret = ''] = secretForm.exec(answer.body) ?? [];
  expect((await gateway.app.inject({ url: '/console', headers })).statusCode).toBe(303);
  await signIn(gateway, { ...operator, operatorSecret });
});

test('switches an operator off, which ends its sessions, and on again', async ({
  gateway,
  admin,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  const form = { act: 'active', id: operator.id };
  const off = await admin.submit(page, { ...form, isActive: 'false' });
  expect(off).toMatchObject({ statusCode: 303, headers: { location: page } });
  expect((await gateway.app.inject({ url: '/console', headers })).statusCode).toBe(303);
  await expect(signIn(gateway, operator)).rejects.toThrow('no session');
  await admin.submit(page, { ...form, isActive: 'true' });
  await signIn(gateway, operator);
});

test.for(['Reviewer', 'Operations'] as const)(
  'shows %s no operators, and refuses the forms',
  async (role, { gateway, operator }) => {
    const browser = await browserOf(gateway, role);
    expect((await browser.open('/console')).body).not.toContain(page);
    expect((await browser.open(page)).statusCode).toBe(403);
    for (const form of [
      { act: 'create', operatorId: 'another', role: 'Admin' },
      { act: 'rotate-secret', id: operator.id },
      { act: 'active', id: operator.id, isActive: 'false' },
    ])
      expect((await browser.submit(page, form)).statusCode, form.act).toBe(403);
    await signIn(gateway, operator);
  },
);
