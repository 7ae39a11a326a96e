import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { pruneKeys } from '../../../db/idempotency/idempotency-keys.ts';
import { countOf } from '../../db/support.ts';
import { freeFormOffer, newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, gatewayOver, textOf } from '../../support/api/api.ts';
import { child, readReferences, resolved } from '../../support/api/openapi-document.ts';
import { allRows, checksums } from '../../support/database/all-rows.ts';
import { whileFailing } from '../../support/database/failing.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { create, creatingRoutes, creationAt, newCreators, type Creators } from './creations.ts';

/** The response is given once more for the same key (D92): every route that creates. */

const test = gatewayTest
  .extend('creators', { scope: 'file' }, ({ gateway }) => newCreators(gateway))
  // Another process of the API, as after a restart: only the database and the keys are the same.
  .extend('restarted', { scope: 'file' }, async ({ gateway }, { onCleanup }) => {
    const other = await gatewayOver(gateway.dependencies.sql);
    onCleanup(() => other.app.close());
    return other;
  });

test('documents the header at every POST that creates', async ({ gateway }) => {
  const references = await readReferences(gateway.app);
  const posts = references.flatMap(({ document, operations }) =>
    operations
      .map(({ at, method, node }) => ({
        at,
        method,
        node,
        created: { ...child(node, 'responses', '201'), ...child(node, 'responses', '202') },
      }))
      .filter(({ method, created }) => method === 'POST' && Object.keys(created).length > 0)
      // A second revert returns the job of the first, and a second recovery finds nothing left.
      .filter(({ at }) => !at.endsWith('/revert') && !at.endsWith('/recover'))
      .map((post) => ({ ...post, created: resolved(document, post.created) })),
  );
  expect(posts.map(({ at }) => at).toSorted()).toEqual([...creatingRoutes].toSorted());
  for (const { at, node, created } of posts) {
    const text = JSON.stringify(node);
    expect(text, at).toContain('"in":"header","name":"Idempotency-Key"');
    expect(JSON.stringify(created), at).toContain('#/components/headers/Idempotency-Replayed');
    expect(text, at).toContain('IdempotencyKeyReused');
  }
});

test('documents the header nowhere else but where a call makes a secret', async ({ gateway }) => {
  const references = await readReferences(gateway.app);
  const keyed = references
    .flatMap(({ operations }) => operations)
    .filter(({ node }) => JSON.stringify(node).includes('"name":"Idempotency-Key"'))
    .map(({ at }) => at);
  const rotation = 'POST /operator/v1/operators/{id}/rotate-secret';
  expect(keyed.toSorted()).toEqual([...creatingRoutes, rotation].toSorted());
});

test.for(creatingRoutes)(
  'creates once, returns the same bytes also after a restart, refuses another body: %s',
  async (at, { restarted, creators }) => {
    const creation = creationAt(at, creators);
    const { status = 201 } = creation;
    const key = randomUUID();
    const before = await countOf(creators.sql, creation.table);
    const first = await create(creators, creation, key);
    expect(first).toMatchObject({ status, state: 'SUCCESS' });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const stored = await checksums(creators);
    for (const { app } of [creators, restarted]) {
      const again = await create({ ...creators, app }, creation, key);
      expect(again.text).toBe(first.text);
      expect(again).toMatchObject({
        status,
        headers: {
          'idempotency-replayed': 'true',
          'content-type': first.headers['content-type'],
        },
      });
    }
    const other = { ...creation, body: creation.otherBody };
    expect(await create(creators, other, key)).toMatchObject({
      status: 422,
      state: 'BUSINESS_IDEMPOTENCY_KEY_REUSED',
      details: { reason: 'OTHER_REQUEST' },
    });
    expect(await checksums(creators)).toEqual(stored);
    expect(await countOf(creators.sql, creation.table)).toBe(before + 1);
  },
);

test.for(creatingRoutes)(
  'stores nothing if the response cannot be kept: %s',
  async (at, { creators }) => {
    const creation = creationAt(at, creators);
    const { status = 201 } = creation;
    const key = randomUUID();
    const before = await allRows(creators);
    const send = () => create(creators, creation, key);
    const diskFull = { code: '53100' };
    const failing = whileFailing(creators.sql, 'insert on idempotency_keys', send, diskFull);
    expect(await failing).toMatchObject({ status: 503 });
    expect(await allRows(creators)).toEqual(before);
    expect(await create(creators, creation, key)).toMatchObject({ status });
  },
);

test('stores no secret in clear, and returns it again', async ({ creators }) => {
  const secrets: string[] = [];
  for (const at of creatingRoutes) {
    const creation = creationAt(at, creators);
    const key = randomUUID();
    await create(creators, creation, key);
    const { text } = await create(creators, creation, key);
    const [, secret] = /"(?:secret|\w+Secret)":"([^"]+)"/.exec(text) ?? [];
    if (secret !== undefined) secrets.push(secret);
  }
  expect(secrets).toHaveLength(4);
  const rows = Object.values(await allRows(creators)).join('\n');
  for (const secret of secrets) {
    const clear = secret.replace(/^[a-z]+_/, '');
    for (const encoding of ['utf8', 'base64', 'hex'] as const) {
      const text = Buffer.from(clear).toString(encoding);
      expect(rows.includes(text), encoding).toBe(false);
    }
  }
});

// Which key names which call, and for how long. The forms of keys have their cases in
// `idempotency-key.test.ts`.

const offer = { url: '/api/v1/scent/offers', body: freeFormOffer };
const repeated = { 'idempotency-replayed': 'true' };

const age = ({ sql }: Creators, interval: string) =>
  sql`update idempotency_keys set created_at = clock_timestamp() - ${interval}::interval`;

test('treats a key in double quotes as the bare key', async ({ creators }) => {
  const first = await create(creators, offer, 'a-key');
  const again = await create(creators, offer, '"a-key"');
  expect([first.status, again.text]).toEqual([201, first.text]);
});

test('treats validateOnly=false as no parameter', async ({ creators }) => {
  for (const { url, ...made } of [offer, creationAt('POST /api/v1/scent/jobs', creators)]) {
    const key = randomUUID();
    const first = await create(creators, { ...made, url }, key);
    const again = await create(creators, { ...made, url: `${url}?validateOnly=false` }, key);
    expect(again).toMatchObject({ headers: repeated, text: first.text });
  }
});

test('lists a malformed key beside the errors of the body', async ({ creators }) => {
  const before = await allRows(creators);
  const response = await create(creators, { ...offer, body: { cost: -1 } }, 'one two');
  expect(response).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  const errors = response.details['errors'] as readonly unknown[];
  expect(errors[0]).toEqual({
    field: 'Idempotency-Key',
    path: '',
    code: 'invalid',
    message: 'must have 1 to 255 visible ASCII characters, bare or in double quotes',
  });
  expect(errors.length).toBeGreaterThan(1);
  expect(await allRows(creators)).toEqual(before);
});

test('ignores any key of a call that creates nothing', async ({ creators }) => {
  const { token } = creators.vendor;
  const headers = { 'idempotency-key': 'no key' };
  const list = await call(creators, 'GET', '/api/v1/scent/offers', { token, headers });
  expect(list.status).toBe(200);
});

test('refuses a used key with another id in the path or on another route', async ({ creators }) => {
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

test('keeps the keys of each vendor and operator apart', async ({ creators }) => {
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

test('keeps the keys and secrets of each credential of a vendor apart', async ({ creators }) => {
  const { vendor, add } = await newCredentialFixture(creators);
  const { id: credentialId, clientId } = await add(['Account', 'Stock']);
  const token = tokenWith(creators, { ...vendor, credentialId, clientId }, ['Account', 'Stock']);
  const creation = creationAt('POST /api/v1/credentials', creators);
  const key = randomUUID();
  const mine = await create({ ...creators, vendor }, creation, key);
  const theirs = await create({ ...creators, vendor: { ...vendor, token } }, creation, key);
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.text).not.toContain(textOf(mine, 'clientSecret'));
  expect(textOf(theirs, 'id')).not.toBe(textOf(mine, 'id'));
});

test('returns no secret again to a credential that an operator revoked', async ({ creators }) => {
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

test.for([
  ['/api/v1/scent/offers', { cost: -1 }, 400],
  ['/api/v1/scent/offers', { ...freeFormOffer, salePrice: 1, salePriceIsVatInclusive: true }, 422],
  [
    '/api/v1/scent/returns/00000000-0000-4000-8000-000000000000/evidence',
    { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' },
    404,
  ],
] as const)(
  'keeps no error, so that the repaired call may use the key: %s %j, %i',
  async ([url, body, status], { creators }) => {
    const key = randomUUID();
    const before = await allRows(creators);
    for (let time = 1; time <= 2; time += 1)
      expect((await create(creators, { url, body }, key)).status).toBe(status);
    expect(await allRows(creators)).toEqual(before);
    expect((await create(creators, offer, key)).status).toBe(201);
  },
);

test('forgets a key after 24 hours, not before; maintenance deletes it', async ({ creators }) => {
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
  expect(await countOf(creators.sql, 'idempotency_keys')).toBe(1);
});
