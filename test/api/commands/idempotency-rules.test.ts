import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pruneKeys } from '../../../db/idempotency/idempotency-keys.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { freeFormOffer, newOperator, newVendor } from '../../support/api/actors.ts';
import { call, textOf, type Gateway } from '../../support/api/api.ts';
import { newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { allRows, countOf, create, creationAt, newCreators } from './creations.ts';

/** Which key names which call, and for how long (D92). */

const test = gatewayTest.extend('creators', { scope: 'file' }, ({ gateway }) =>
  newCreators(gateway),
);

const offer = { url: '/api/v1/scent/offers', body: freeFormOffer };
const repeated = { 'idempotency-replayed': 'true' };
const keys = ({ sql }: Gateway) => countOf({ sql }, 'idempotency_keys');

const age = ({ sql }: Gateway, interval: string) =>
  sql`update idempotency_keys set created_at = clock_timestamp() - ${interval}::interval`;

describe('the key', () => {
  // Its forms have their cases in `idempotency-key.test.ts`.
  test('is the same bare and in double quotes', async ({ gateway, creators }) => {
    const first = await create(gateway, creators, offer, 'a-key');
    const again = await create(gateway, creators, offer, '"a-key"');
    expect([first.status, again.text]).toEqual([201, first.text]);
  });

  test('is refused beside the errors of the body', async ({ gateway, creators }) => {
    const before = await allRows(gateway);
    const answer = await create(gateway, creators, { ...offer, body: { cost: -1 } }, 'one two');
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    const errors = answer.details['errors'] as readonly unknown[];
    expect(errors[0]).toEqual({
      field: 'Idempotency-Key',
      path: '',
      code: 'invalid',
      message: 'must have 1 to 255 visible ASCII characters, bare or in double quotes',
    });
    expect(errors.length).toBeGreaterThan(1);
    expect(await allRows(gateway)).toEqual(before);
  });

  test('on a call that creates nothing has no effect, whatever it is', async ({
    gateway,
    creators,
  }) => {
    const before = await keys(gateway);
    const { token } = creators.vendor;
    for (const key of ['key', 'no key']) {
      const headers = { 'idempotency-key': key };
      const list = await call(gateway, 'GET', '/api/v1/scent/offers', { token, headers });
      expect(list.status).toBe(200);
    }
    expect(await keys(gateway)).toBe(before);
  });
});

describe('the request', () => {
  test('is another one with another id in the path, and on another route', async ({
    gateway,
    creators,
  }) => {
    const { url, ...evidence } = creationAt('POST /api/v1/scent/returns/{id}/evidence', creators);
    const key = randomUUID();
    const first = await create(gateway, creators, { ...evidence, url }, key);
    expect(first.status).toBe(201);
    const other = `/api/v1/scent/returns/${await creators.returnIn('Received')}/evidence`;
    const before = await allRows(gateway);
    for (const request of [{ ...evidence, url: other }, offer])
      expect(await create(gateway, creators, request, key)).toMatchObject({ status: 422 });
    expect(await allRows(gateway)).toEqual(before);
    const upper = url.replace(creators.returnId, creators.returnId.toUpperCase());
    expect((await create(gateway, creators, { ...evidence, url: upper }, key)).text).toBe(
      first.text,
    );
  });
});

describe('the caller', () => {
  test('has keys of its own, as each other vendor and operator', async ({ gateway, creators }) => {
    const key = randomUUID();
    const others = { vendor: await newVendor(gateway), operator: await newOperator(gateway) };
    for (const request of [offer, creationAt('POST /operator/v1/vendors', creators)]) {
      const mine = await create(gateway, creators, request, key);
      const theirs = await create(gateway, others, request, key);
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(theirs.headers).not.toMatchObject(repeated);
      expect(textOf(theirs, 'id')).not.toBe(textOf(mine, 'id'));
    }
  });

  test('has keys for each credential, and gets no secret of another one', async ({
    gateway,
    creators,
  }) => {
    const fixture = await newCredentialFixture(gateway);
    const { id, clientId } = await fixture.add(['Account', 'Stock']);
    const token = gateway.dependencies.tokens.issueVendorToken({
      id,
      clientId,
      vendorId: fixture.vendor.vendorId,
      capabilities: ['Account', 'Stock'],
      environment: 'Production',
    });
    const creation = creationAt('POST /api/v1/credentials', creators);
    const key = randomUUID();
    const mine = await create(gateway, { ...creators, vendor: fixture.vendor }, creation, key);
    const other = { ...creators, vendor: { ...fixture.vendor, token } };
    const theirs = await create(gateway, other, creation, key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.text).not.toContain(textOf(mine, 'clientSecret'));
    expect(textOf(theirs, 'id')).not.toBe(textOf(mine, 'id'));
  });

  test('whose credential an operator has switched off gets no secret again', async ({
    gateway,
    creators,
  }) => {
    const vendor = await newVendor(gateway);
    const creation = creationAt('POST /api/v1/credentials', creators);
    const key = randomUUID();
    const first = await create(gateway, { ...creators, vendor }, creation, key);
    const url = `/operator/v1/credentials/${vendor.credentialId}/active`;
    const { token } = creators.operator;
    await call(gateway, 'PATCH', url, { token, body: { isActive: false } });
    const again = () => create(gateway, { ...creators, vendor }, creation, key);
    expect(await again()).toMatchObject({
      status: 403,
      state: 'FORBIDDEN',
      details: { reason: 'CREDENTIAL_REVOKED' },
    });
    await call(gateway, 'PATCH', url, { token, body: { isActive: true } });
    expect((await again()).text).toBe(first.text);
  });
});

describe('an error', () => {
  test.for([
    ['of the body', '/api/v1/scent/offers', { cost: -1 }, 400],
    [
      'of a rule',
      '/api/v1/scent/offers',
      { ...freeFormOffer, salePrice: 1, salePriceIsVatInclusive: true },
      422,
    ],
    [
      'of a resource',
      '/api/v1/scent/returns/00000000-0000-4000-8000-000000000000/evidence',
      { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' },
      404,
    ],
  ] as const)(
    '%s keeps nothing, so that the repaired call may have the key',
    async ([, url, body, status], { gateway, creators }) => {
      const key = randomUUID();
      const before = await allRows(gateway);
      for (let time = 1; time <= 2; time += 1)
        expect((await create(gateway, creators, { url, body }, key)).status).toBe(status);
      expect(await allRows(gateway)).toEqual(before);
      expect((await create(gateway, creators, offer, key)).status).toBe(201);
    },
  );
});

describe('the time', () => {
  test('a key is new after 24 hours, and not before', async ({ gateway, creators }) => {
    const key = randomUUID();
    const first = await create(gateway, creators, offer, key);
    await age(gateway, '23 hours 59 minutes');
    expect((await create(gateway, creators, offer, key)).text).toBe(first.text);
    await age(gateway, '24 hours');
    const next = await create(
      gateway,
      creators,
      { ...offer, body: { ...offer.body, cost: 2 } },
      key,
    );
    expect(next).toMatchObject({ status: 201, payload: { cost: 2 } });
    const { text } = await create(
      gateway,
      creators,
      { ...offer, body: { ...offer.body, cost: 2 } },
      key,
    );
    expect(text).toBe(next.text);
  });

  test('maintenance deletes the keys of which 24 hours have passed', async ({
    gateway,
    creators,
  }) => {
    await gateway.sql`truncate idempotency_keys`;
    await create(gateway, creators, offer, randomUUID());
    await age(gateway, '24 hours');
    await create(gateway, creators, offer, randomUUID());
    await pruneKeys(gateway.sql);
    expect(await keys(gateway)).toBe(1);
  });
});
