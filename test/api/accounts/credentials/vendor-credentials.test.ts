import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { tokenWith } from '../../../support/api/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, textOf } from '../../../support/api/api.ts';
import {
  askToken,
  credentialForm,
  credentialTest as test,
  expectCreated,
  newCredentialFixture,
  secretOf,
  yesterday,
  type CredentialFixture,
} from './credential-fixture.ts';

// List, generation, activation and deletion (part 4, Credentials; D14, D52 to D55, D58, D68). The
// bodies have their cases in `account-body.test.ts`, the union rule in
// `test/domain/accounts/credentials.test.ts`, what commands do to credentials in any state in
// `vendor-credential-races.test.ts`, other vendors' and unknown ids in `isolation.test.ts`.

const url = '/api/v1/credentials';
const exceeds = (...notHeld: readonly Capability[]) =>
  refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld });

test('generates a credential for 365 days; shows its secret once', async ({ gateway, fixture }) => {
  const made = await fixture.generate('Orders, Offers');
  const shown = expectCreated(made, 'Offers,Orders');
  const listed = await fixture.list();
  expect(itemsOf(listed)[0]).toStrictEqual(shown);
  expect(listed.text).not.toMatch(/secret|sha256/i);
  const token = textOf(await askToken(gateway, secretOf(made)), 'accessToken');
  expect(gateway.dependencies.tokens.verify(token)).toMatchObject({
    side: 'vendor',
    credentialId: textOf(made, 'id'),
    vendorId: fixture.vendor.vendorId,
    capabilities: ['Offers', 'Orders'],
  });
});

test.for([
  ['required', {}],
  ['not_allowed', { 'x-service-environment': '' }],
  ['not_allowed', { 'x-service-environment': 'Sandbox' }],
  ['not_allowed', { 'x-service-environment': 'production' }],
  ['not_allowed', { 'x-service-environment': 'Production, Production' }],
] as const)(
  'refuses to generate and to list with the header %s: %j',
  async ([code, headers], { gateway, fixture }) => {
    const { token } = fixture.vendor;
    const wrong = { capabilities: 'Everything', name: 'x' };
    for (const [method, body, ...errors] of [
      ['GET', undefined],
      ['POST', { capabilities: 'Stock' }],
      ['POST', wrong, 'Capabilities invalid_capabilities', 'Name unknown_field'],
    ] as const) {
      const response = await call(gateway, method, url, { token, headers, body });
      expect(fieldErrorsOf(response)).toEqual([...errors, `X-Service-Environment ${code}`]);
      expect(response.details['allowedValues']).toEqual(['Production']);
    }
    // Only a generation takes a key.
    const keyed = { token, headers: { ...headers, 'idempotency-key': 'a b' } };
    for (const [method, body, ...errors] of [
      ['GET', undefined],
      [
        'POST',
        { capabilities: '' },
        'Capabilities invalid_capabilities',
        'Idempotency-Key invalid',
      ],
    ] as const)
      expect(fieldErrorsOf(await call(gateway, method, url, { ...keyed, body }))).toEqual([
        ...errors,
        `X-Service-Environment ${code}`,
      ]);
    expect(await fixture.rows()).toHaveLength(1);
  },
);

test('lists the newest first, in pages, expired ones as inactive', async ({ fixture }) => {
  const { add, list, vendor } = fixture;
  await add(['Stock'], { environment: 'Sandbox' });
  const expected = [[vendor.credentialId, true]];
  for (const [given, isActive] of [
    [{ isActive: false }, false],
    [{ expiresAt: yesterday() }, false],
    [{ expiresAt: yesterday(), isActive: false }, false],
    [{}, true],
  ] as const)
    expected.unshift([(await add(['Cost'], given)).id, isActive]);
  const items = itemsOf(await list());
  expect(items.map(({ id, isActive }) => [id, isActive])).toEqual(expected);
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&pageSize=2`)));
  expect(pages.flatMap(itemsOf)).toEqual(items);
  expect((await list('?page=4&pageSize=2')).payload).toEqual({
    items: [],
    pagination: { page: 4, pageSize: 2, totalCount: 5, totalPages: 3 },
  });
});

test('returns a switched credential as then listed, and lets only an active one log in', async ({
  gateway,
  fixture,
}) => {
  const { id, ...known } = await fixture.add(['Stock']);
  const sandbox = await fixture.add(['Stock'], { environment: 'Sandbox' });
  for (const isActive of [false, true]) {
    const response = await fixture.setActive(id.toUpperCase(), isActive);
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const form = { ...credentialForm, id, isActive, capabilities: 'Stock' };
    expect(response.payload).toStrictEqual(form);
    expect(itemsOf(await fixture.list())).toContainEqual(response.payload);
    expect((await askToken(gateway, known)).status).toBe(isActive ? 200 : 401);
    expect((await fixture.setActive(sandbox.id, isActive)).payload).toMatchObject({ isActive });
  }
});

test('neither activates an expired credential nor logs it in', async ({ gateway, fixture }) => {
  const { id, ...known } = await fixture.add(['Stock'], { expiresAt: yesterday() });
  for (const isActive of [true, false, true]) {
    const response = await fixture.setActive(id, isActive);
    expect(response).toMatchObject({ status: 200, payload: { id, isActive: false } });
    expect((await askToken(gateway, known)).status).toBe(401);
  }
});

test('deletes a credential, which no later call finds', async ({ gateway, fixture }) => {
  const { id, ...known } = await fixture.add(['Stock']);
  const { credentialId } = fixture.vendor;
  expect((await askToken(gateway, known)).status).toBe(200);
  const response = await fixture.remove(id.toUpperCase());
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({ deleted: true });
  expect(await fixture.rows()).toMatchObject([{ id: credentialId }]);
  const unknown = refusal('UNAUTHORIZED_INVALID_CREDENTIALS');
  expect(await askToken(gateway, known)).toMatchObject(unknown);
  expect(itemsOf(await fixture.list())).toMatchObject([{ id: credentialId }]);
  for (const gone of [id, '1', '%00', `${credentialId}x`])
    for (const again of [await fixture.remove(gone), await fixture.setActive(gone, true)])
      expect(again, gone).toMatchObject(refusal('NOT_FOUND_VENDOR_CREDENTIAL'));
});

test.for<
  readonly [string, (to: CredentialFixture, wanted: readonly Capability[]) => Promise<unknown>]
>([
  ['a generation', ({ generate }, wanted) => generate(wanted.join(', '))],
  [
    'an activation',
    async ({ add, setActive }, wanted) =>
      setActive((await add(wanted, { isActive: false })).id, true),
  ],
])('lets %s grant what active credentials of any environment hold', async (row, { gateway }) => {
  const [, grant] = row;
  const fixture = await newCredentialFixture(gateway, ['Stock']);
  const { add, remove, rows, vendor } = fixture;
  await add(['Orders'], { environment: 'Sandbox' });
  await add(['Cost'], { isActive: false });
  await add(['Cost'], { expiresAt: yesterday() });
  await newCredentialFixture(gateway, ['Cost']);
  const activeOnes = async () => (await rows()).filter(({ isActive }) => isActive);
  const before = await activeOnes();
  expect(await grant(fixture, ['Cost'])).toMatchObject(exceeds('Cost'));
  expect(await grant(fixture, capabilities)).toMatchObject(exceeds('Offers', 'Cost', 'Account'));
  expect(await activeOnes()).toEqual(before);
  const both: readonly Capability[] = ['Stock', 'Orders'];
  expect(await grant(fixture, both)).toMatchObject({ state: 'SUCCESS' });
  expect(await activeOnes()).toMatchObject([...before, { capabilities: both }]);
  await remove(vendor.credentialId);
  expect(await grant(fixture, ['Stock'])).toMatchObject({ state: 'SUCCESS' });
  await gateway.sql`
    update credentials set expires_at = ${yesterday()} where vendor_id = ${vendor.vendorId}`;
  for (const wanted of [['Stock'], capabilities] as const)
    expect(await grant(fixture, wanted)).toMatchObject(
      refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING'),
    );
});

test('applies the union rule to the credentials, not to the token', async ({ gateway }) => {
  const fixture = await newCredentialFixture(gateway, ['Account']);
  const rich = tokenWith(gateway, fixture.vendor, capabilities);
  expect(await fixture.generate('Account,Cost', rich)).toMatchObject(exceeds('Cost'));
  await fixture.add(capabilities);
  expect((await fixture.generate('Offers,Cost')).status).toBe(201);
});

test('lets an operator grant any capability, which the vendor may then grant', async ({
  operate,
  fixture,
}) => {
  await fixture.remove(fixture.vendor.credentialId);
  const issued = await operate('POST', `/vendors/${fixture.vendor.vendorId}/credentials`, {
    environment: 'Production',
    capabilities: 'Cost',
  });
  expect(issued.status).toBe(201);
  expect((await fixture.generate('Cost')).status).toBe(201);
  await fixture.remove(textOf(issued, 'id'));
  expect((await fixture.generate('Cost')).status).toBe(201);
  expect(await fixture.generate('Stock')).toMatchObject(exceeds('Stock'));
});
