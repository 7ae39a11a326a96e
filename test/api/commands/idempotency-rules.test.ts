import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pruneKeys } from '../../../db/idempotency/idempotency-keys.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { freeFormOffer, newOperator, newVendor } from '../../support/api/actors.ts';
import { call, textOf } from '../../support/api/api.ts';
import { newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { allRows, countOf, create, creationAt, newCreators, type Creators } from './creations.ts';

/** Which key names which call, and for how long (D92). */

const test = gatewayTest.extend('creators', { scope: 'file' }, ({ gateway }) =>
  newCreators(gateway),
);

const offer = { url: '/api/v1/scent/offers', body: freeFormOffer };
const repeated = { 'idempotency-replayed': 'true' };

const age = ({ sql }: Creators, interval: string) =>
  sql`update idempotency_keys set created_at = clock_timestamp() - ${interval}::interval`;

describe('the key', () => {
  // Its forms have their cases in `idempotency-key.test.ts`.
  test('is the same bare and in double quotes', async ({ creators }) => {
    const first = await create(creators, offer, 'a-key');
    const again = await create(creators, offer, '"a-key"');
    expect([first.status, again.text]).toEqual([201, first.text]);
  });

  test('is refused beside the errors of the body', async ({ creators }) => {
    const before = await allRows(creators);
    const answer = await create(creators, { ...offer, body: { cost: -1 } }, 'one two');
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    const errors = answer.details['errors'] as readonly unknown[];
    expect(errors[0]).toEqual({
      field: 'Idempotency-Key',
      path: '',
      code: 'invalid',
      message: 'must have 1 to 255 visible ASCII characters, bare or in double quotes',
    });
    expect(errors.length).toBeGreaterThan(1);
    expect(await allRows(creators)).toEqual(before);
  });

  test('has no effect on a call that creates nothing, whatever it is', async ({ creators }) => {
    const { token } = creators.vendor;
    const headers = { 'idempotency-key': 'no key' };
    const list = await call(creators, 'GET', '/api/v1/scent/offers', { token, headers });
    expect(list.status).toBe(200);
  });
});

test('a request is another one with another id in the path, and on another route', async ({
  creators,
}) => {
  const { url, ...evidence } = creationAt('POST /api/v1/scent/returns/{id}/evidence', creators);
  const key = randomUUID();
  const first = await create(creators, { ...evidence, url }, key);
  expect(first.status).toBe(201);
  const other = `/api/v1/scent/returns/${await creators.returnIn('Received')}/evidence`;
  const before = await allRows(creators);
  for (const request of [{ ...evidence, url: other }, offer])
    expect(await create(creators, request, key)).toMatchObject({ status: 422 });
  expect(await allRows(creators)).toEqual(before);
  const upper = url.replace(creators.returnId, creators.returnId.toUpperCase());
  expect((await create(creators, { ...evidence, url: upper }, key)).text).toBe(first.text);
});

describe('the caller', () => {
  test('has keys of its own, as each other vendor and operator', async ({ creators }) => {
    const key = randomUUID();
    const others = { vendor: await newVendor(creators), operator: await newOperator(creators) };
    for (const request of [offer, creationAt('POST /operator/v1/vendors', creators)]) {
      const mine = await create(creators, request, key);
      const theirs = await create({ ...creators, ...others }, request, key);
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(theirs.headers).not.toMatchObject(repeated);
      expect(textOf(theirs, 'id')).not.toBe(textOf(mine, 'id'));
    }
  });

  test('has keys for each credential, and gets no secret of another one', async ({ creators }) => {
    const fixture = await newCredentialFixture(creators);
    const { id, clientId } = await fixture.add(['Account', 'Stock']);
    const token = creators.dependencies.tokens.issueVendorToken({
      id,
      clientId,
      vendorId: fixture.vendor.vendorId,
      capabilities: ['Account', 'Stock'],
      environment: 'Production',
    });
    const creation = creationAt('POST /api/v1/credentials', creators);
    const key = randomUUID();
    const mine = await create({ ...creators, vendor: fixture.vendor }, creation, key);
    const other = { ...creators, vendor: { ...fixture.vendor, token } };
    const theirs = await create(other, creation, key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.text).not.toContain(textOf(mine, 'clientSecret'));
    expect(textOf(theirs, 'id')).not.toBe(textOf(mine, 'id'));
  });

  test('whose credential an operator has switched off gets no secret again', async ({
    creators,
  }) => {
    const vendor = await newVendor(creators);
    const creation = creationAt('POST /api/v1/credentials', creators);
    const key = randomUUID();
    const first = await create({ ...creators, vendor }, creation, key);
    const url = `/operator/v1/credentials/${vendor.credentialId}/active`;
    const { token } = creators.operator;
    await call(creators, 'PATCH', url, { token, body: { isActive: false } });
    const again = () => create({ ...creators, vendor }, creation, key);
    expect(await again()).toMatchObject({
      status: 403,
      state: 'FORBIDDEN',
      details: { reason: 'CREDENTIAL_REVOKED' },
    });
    await call(creators, 'PATCH', url, { token, body: { isActive: true } });
    expect((await again()).text).toBe(first.text);
  });
});

test.for([
  ['/api/v1/scent/offers', { cost: -1 }, 400],
  ['/api/v1/scent/offers', { ...freeFormOffer, salePrice: 1, salePriceIsVatInclusive: true }, 422],
  [
    '/api/v1/scent/returns/00000000-0000-4000-8000-000000000000/evidence',
    { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' },
    404,
  ],
] as const)(
  'an error keeps nothing, so that the repaired call may have the key: %s %j, %i',
  async ([url, body, status], { creators }) => {
    const key = randomUUID();
    const before = await allRows(creators);
    for (let time = 1; time <= 2; time += 1)
      expect((await create(creators, { url, body }, key)).status).toBe(status);
    expect(await allRows(creators)).toEqual(before);
    expect((await create(creators, offer, key)).status).toBe(201);
  },
);

test('a key is new after 24 hours and not before, and maintenance deletes it then', async ({
  creators,
}) => {
  await creators.sql`truncate idempotency_keys`;
  const key = randomUUID();
  const first = await create(creators, offer, key);
  await age(creators, '23 hours 59 minutes');
  expect((await create(creators, offer, key)).text).toBe(first.text);
  await age(creators, '24 hours');
  const other = { ...offer, body: { ...offer.body, cost: 2 } };
  const next = await create(creators, other, key);
  expect(next).toMatchObject({ status: 201, payload: { cost: 2 } });
  expect((await create(creators, other, key)).text).toBe(next.text);
  await age(creators, '24 hours');
  await create(creators, offer, randomUUID());
  await pruneKeys(creators.sql);
  expect(await countOf(creators, 'idempotency_keys')).toBe(1);
});
