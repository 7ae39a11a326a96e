import { expect } from 'vitest';
import { newCredentialFixture, yesterday, type CredentialFixture } from './credential-fixture.ts';
import { call, fieldErrorsOf, itemsOf } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// The list, and the header that it shares with the generation (part 4, Credentials; D52).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const url = '/api/v1/credentials';
const idsOf = async (fixture: CredentialFixture, query = '') =>
  itemsOf(await fixture.list(query)).map(({ id }) => id);

test('lists every field of a credential and no secret', async ({ fixture }) => {
  const { vendor } = fixture;
  const answer = await fixture.list();
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id: vendor.credentialId,
        environment: 'Production',
        clientId: vendor.clientId,
        capabilities: 'Offers,Stock,Cost,Orders,Account',
        expirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        isActive: true,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  expect(answer.text).not.toMatch(/secret|sha256/i);
});

test('lists the newest first, deactivated and expired ones included as inactive', async ({
  fixture,
}) => {
  const off = await fixture.add(['Stock'], { isActive: false });
  const expired = await fixture.add(['Cost'], { expiresAt: yesterday() });
  const both = await fixture.add(['Cost'], { expiresAt: yesterday(), isActive: false });
  const on = await fixture.add(['Orders']);
  const items = itemsOf(await fixture.list());
  expect(items.map(({ id, isActive }) => [id, isActive])).toEqual([
    [on.id, true],
    [both.id, false],
    [expired.id, false],
    [off.id, false],
    [fixture.vendor.credentialId, true],
  ]);
});

test('pages have the whole list, and a page after the last is empty', async ({ fixture }) => {
  for (let index = 0; index < 4; index += 1) await fixture.add(['Stock']);
  const rows = await fixture.rows();
  const pages = [
    await idsOf(fixture, '?pageSize=2'),
    await idsOf(fixture, '?page=2&pageSize=2'),
    await idsOf(fixture, '?page=3&pageSize=2'),
  ];
  expect(pages.flat()).toEqual(rows.map(({ id }) => id).toReversed());
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect((await fixture.list('?page=4&pageSize=2')).payload).toEqual({
    items: [],
    pagination: { page: 4, pageSize: 2, totalCount: 5, totalPages: 3 },
  });
});

test.for([
  ['none', {}, 'required'],
  ['an empty one', { 'x-service-environment': '' }, 'not_allowed'],
  ['an unknown one', { 'x-service-environment': 'Sandbox' }, 'not_allowed'],
  ['another letter case', { 'x-service-environment': 'production' }, 'not_allowed'],
  ['one given twice', { 'x-service-environment': 'Production, Production' }, 'not_allowed'],
] as const)(
  'refuses the header X-Service-Environment and names the values: %s',
  async ([_what, headers, code], { gateway, fixture }) => {
    const { token } = fixture.vendor;
    const body = { capabilities: 'Stock' };
    for (const answer of [
      await call(gateway, 'GET', url, { token, headers }),
      await call(gateway, 'POST', url, { token, headers, body }),
    ]) {
      expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
      expect(fieldErrorsOf(answer)).toEqual([`X-Service-Environment ${code}`]);
      expect(answer.details['allowedValues']).toEqual(['Production']);
    }
    expect(await fixture.rows()).toHaveLength(1);
  },
);

test('lists the named environment only', async ({ fixture }) => {
  await fixture.add(['Stock'], { environment: 'Sandbox' });
  expect(await idsOf(fixture)).toEqual([fixture.vendor.credentialId]);
  expect((await fixture.list()).payload).toMatchObject({ pagination: { totalCount: 1 } });
});
