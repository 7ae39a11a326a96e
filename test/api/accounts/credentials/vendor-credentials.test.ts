import { describe, expect } from 'vitest';
import { newVendor } from '../../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
} from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import {
  askToken,
  newCredentialFixture,
  secretOf,
  yesterday,
  type CredentialFixture,
} from './credential-fixture.ts';

// List, generation, activation and deletion (part 4, Credentials; D14, D52 to D55, D58, D68). The
// union rule has its cases in `vendor-credential-union.test.ts`, the bodies in
// `account-body.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const url = '/api/v1/credentials';
const idsOf = async (fixture: CredentialFixture, query = '') =>
  itemsOf(await fixture.list(query)).map(({ id }) => id);
const form = {
  id: uuid,
  environment: 'Production',
  clientId: expect.stringMatching(/^vc_[\w-]{20,}$/),
  expirationDate: instant,
  isActive: true,
  createdAt: instant,
};

describe('a generated credential', () => {
  test('shows its secret once, expires in 365 days, and gets tokens of its capabilities', async ({
    gateway,
    fixture,
  }) => {
    const made = await fixture.generate({ capabilities: 'Orders, Offers' });
    expect(made).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
    const { clientSecret, ...shown } = made.payload ?? {};
    expect(shown).toStrictEqual({ ...form, capabilities: 'Offers,Orders' });
    // 256 bits behind a readable prefix (D11).
    expect(clientSecret).toMatch(/^vs_[\w-]{43}$/);
    const lifeMs =
      Date.parse(textOf(made, 'expirationDate')) - Date.parse(textOf(made, 'createdAt'));
    expect(Math.round(lifeMs / 86_400_000)).toBe(365);
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
    'is neither made nor listed with the header %s: %j',
    async ([code, headers], { gateway, fixture }) => {
      const { token } = fixture.vendor;
      const headerError = `X-Service-Environment ${code}`;
      for (const [method, body, ...errors] of [
        ['GET', undefined, headerError],
        ['POST', { capabilities: 'Stock' }, headerError],
        [
          'POST',
          { capabilities: 'Everything', name: 'x' },
          'Capabilities invalid_capabilities',
          'Name unknown_field',
          headerError,
        ],
      ] as const) {
        const answer = await call(gateway, method, url, { token, headers, body });
        expect(fieldErrorsOf(answer)).toEqual(errors);
        expect(answer.details['allowedValues']).toEqual(['Production']);
      }
      expect(await fixture.rows()).toHaveLength(1);
    },
  );
});

describe('the list', () => {
  test('has the newest first, in pages, deactivated and expired ones as inactive', async ({
    fixture,
  }) => {
    await fixture.add(['Stock'], { environment: 'Sandbox' });
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
    const pages = ['1', '2', '3'].map((page) => idsOf(fixture, `?page=${page}&pageSize=2`));
    expect((await Promise.all(pages)).flat()).toEqual(items.map(({ id }) => id));
    expect((await fixture.list('?page=4&pageSize=2')).payload).toEqual({
      items: [],
      pagination: { page: 4, pageSize: 2, totalCount: 5, totalPages: 3 },
    });
  });
});

const firstNeeded = refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING');

describe('an activation', () => {
  test('returns the credential as the list has it, and its tokens follow the state', async ({
    gateway,
    fixture,
  }) => {
    const { id, ...known } = await fixture.add(['Stock']);
    for (const isActive of [false, true]) {
      const answer = await fixture.setActive(id.toUpperCase(), isActive);
      expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
      expect(answer.payload).toStrictEqual({ ...form, id, isActive, capabilities: 'Stock' });
      expect(itemsOf(await fixture.list())).toContainEqual(answer.payload);
      expect((await askToken(gateway, known)).status).toBe(isActive ? 200 : 401);
    }
    const sandbox = await fixture.add(['Stock'], { environment: 'Sandbox' });
    for (const isActive of [false, true])
      expect((await fixture.setActive(sandbox.id, isActive)).payload).toMatchObject({ isActive });
  });

  test('to the current state changes nothing, despite the union rule', async ({
    gateway,
    fixture,
  }) => {
    const { id } = await fixture.add(['Cost']);
    // No other credential can grant Cost then.
    await fixture.setActive(fixture.vendor.credentialId, false);
    const before = await fixture.rows();
    expect((await fixture.setActive(id, true)).payload).toMatchObject({ id, isActive: true });
    expect((await fixture.setActive(fixture.vendor.credentialId, false)).status).toBe(200);
    expect(await fixture.rows()).toEqual(before);
    const entries = await gateway.sql`
      select subject_id from audit_log where subject_id in (${id}, ${fixture.vendor.credentialId})`;
    expect(entries).toEqual([{ subjectId: fixture.vendor.credentialId }]);
  });

  test('of the last credential, which it switched off itself, is for operators only', async ({
    gateway,
    fixture,
  }) => {
    const { token, credentialId, ...known } = fixture.vendor;
    const switchOwn = (isActive: boolean) =>
      call(gateway, 'PATCH', `${url}/${credentialId}/active`, { token, body: { isActive } });
    expect((await switchOwn(false)).payload).toMatchObject({ id: credentialId, isActive: false });
    // The token is still valid (D58).
    expect(await switchOwn(true)).toMatchObject(firstNeeded);
    expect(await fixture.rows()).toMatchObject([{ isActive: false }]);
    expect((await askToken(gateway, known)).status).toBe(401);
  });

  test('leaves an expired credential inactive, without a token, and counts it nowhere', async ({
    gateway,
    fixture,
  }) => {
    const { id, ...known } = await fixture.add(['Stock'], { expiresAt: yesterday() });
    for (const isActive of [true, false, true]) {
      const answer = await fixture.setActive(id, isActive);
      expect(answer).toMatchObject({ status: 200, payload: { id, isActive: false } });
      expect((await askToken(gateway, known)).status).toBe(401);
    }
    await fixture.remove(fixture.vendor.credentialId);
    expect(await fixture.generate({ capabilities: 'Stock' })).toMatchObject(firstNeeded);
  });
});

describe('a deletion', () => {
  const notFound = refusal('NOT_FOUND_VENDOR_CREDENTIAL');

  test('removes the row for ever: no token, no second deletion', async ({ gateway, fixture }) => {
    const { id, ...known } = await fixture.add(['Stock']);
    expect((await askToken(gateway, known)).status).toBe(200);
    const answer = await fixture.remove(id.toUpperCase());
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ deleted: true });
    expect((await fixture.rows()).map((row) => row.id)).toEqual([fixture.vendor.credentialId]);
    const unknown = refusal('UNAUTHORIZED_INVALID_CREDENTIALS');
    expect(await askToken(gateway, known)).toMatchObject(unknown);
    expect(await idsOf(fixture)).toEqual([fixture.vendor.credentialId]);
    for (const again of [await fixture.remove(id), await fixture.setActive(id, true)])
      expect(again).toMatchObject(notFound);
  });

  test("or activation of another vendor's, an unknown id or no UUID is one 404", async ({
    gateway,
    fixture,
  }) => {
    const { credentialId } = await newVendor(gateway);
    const stored = () => gateway.sql`select c::text from credentials c where id = ${credentialId}`;
    const before = await stored();
    for (const id of [credentialId, unknownId(), '1', '%00', `${credentialId}x`]) {
      expect(await fixture.remove(id), id).toMatchObject(notFound);
      for (const isActive of [false, true])
        expect(await fixture.setActive(id, isActive), id).toMatchObject(notFound);
    }
    expect(await stored()).toEqual(before);
  });
});
