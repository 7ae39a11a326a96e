import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createSealer } from '../../../security/sealer.ts';
import { holdLock, untilAnyLockWait, untilLockWaits } from '../../support/database/locks.ts';
import { newSecretsKey } from '../../support/seeds/sealed-secrets.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { freeFormOffer, newVendor } from '../../support/api/actors.ts';
import { ask } from '../error-codes/http.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { call, gatewayOver } from '../../support/api/api.ts';
import { countOf } from '../../db/support.ts';
import { create, creationAt, newCreators } from './creations.ts';

/** Idempotency keys under concurrency, and when something else fails (D92). */

const test = gatewayTest.extend('creators', { scope: 'file' }, ({ gateway }) =>
  newCreators(gateway),
);

const offer = { url: '/api/v1/scent/offers', body: freeFormOffer };

test('creates once by 50 concurrent calls with one key, which return the same response', async ({
  creators,
}) => {
  const other = await gatewayOver(creators.dependencies.sql);
  for (const request of [offer, creationAt('POST /operator/v1/orders', creators)]) {
    const table = request === offer ? 'offers' : 'orders';
    const before = await countOf(creators.sql, table);
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        create({ ...creators, app: (index % 2 === 0 ? creators : other).app }, request, key),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const repeats = responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    expect(repeats).toHaveLength(49);
    expect(await countOf(creators.sql, table)).toBe(before + 1);
  }
  await other.app.close();
});

test('waits for a call with the same key, and creates if that one fails', async ({ creators }) => {
  const { sql } = creators;
  const { vendorId } = creators.vendor;
  const release = await holdLock(sql, sql`select lock_agreement(${vendorId})`);
  const key = randomUUID();
  // Refused once it has the lock.
  const body = { ...freeFormOffer, variantId: '00000000-0000-4000-8000-000000000000' };
  const failing = create(creators, { url: `/operator/v1/vendors/${vendorId}/offers`, body }, key);
  expect((await failing).status).toBe(400);
  const first = create(creators, offer, key);
  await untilLockWaits(sql, 1);
  const second = create(creators, offer, key);
  await untilLockWaits(sql, 2);
  await sql`select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like '%lock_agreement%'`;
  expect((await first).status).toBe(504);
  await untilLockWaits(sql, 1);
  await release();
  const response = await second;
  expect(response.status).toBe(201);
  expect(response.headers).not.toHaveProperty('idempotency-replayed');
});

test('refuses a call whose kept response no key of SECRETS_KEY opens', async ({ creators }) => {
  const key = randomUUID();
  const old = newSecretsKey();
  const sealed = (secretsKey: string) =>
    gatewayOver(creators.dependencies.sql, { sealer: createSealer(secretsKey) });
  const [before, rotated, after] = [
    await sealed(old),
    await sealed(`${newSecretsKey()},${old}`),
    await sealed(newSecretsKey()),
  ];
  const creation = creationAt('POST /api/v1/webhooks', creators);
  const first = await create({ ...creators, app: before.app }, creation, key);
  expect((await create({ ...creators, app: rotated.app }, creation, key)).text).toBe(first.text);
  expect(await create({ ...creators, app: after.app }, creation, key)).toMatchObject({
    status: 422,
    state: 'BUSINESS_IDEMPOTENCY_KEY_REUSED',
    details: { reason: 'ANSWER_UNAVAILABLE' },
  });
  for (const { app } of [before, rotated, after]) await app.close();
});

test('returns the response of a call that timed out and was stored', async ({ creators }) => {
  const { token } = creators.vendor;
  const url = '/api/v1/scent/offers';
  const body = { ...freeFormOffer, vendorExternalId: randomUUID() };
  const slow = await appWith(creators.dependencies, { handlerTimeoutMs: 300 });
  for (const [status, details] of [
    [201, {}],
    [200, { existing: true }],
  ] as const) {
    const given = { token, body, headers: { 'idempotency-key': randomUUID() } };
    const letGo = await holdLock(creators.sql, creators.sql`lock table vendors`);
    const late = ask(slow, 'POST', url, given);
    // The key is stored before the call waits.
    await untilAnyLockWait(creators.sql);
    expect((await late).status).toBe(504);
    await letGo();
    const again = await call(creators, 'POST', url, given);
    expect(again).toMatchObject({
      status,
      details,
      headers: { 'idempotency-replayed': 'true' },
      payload: { vendorExternalId: body.vendorExternalId },
    });
  }
});

test('looks up no host name for a repeated call', async ({ creators }) => {
  const creation = creationAt('POST /api/v1/webhooks', creators);
  const vendor = await newVendor(creators);
  const key = randomUUID();
  const first = await create({ ...creators, vendor }, creation, key);
  const offline = await gatewayOver(creators.dependencies.sql, {
    checkDestination: () => Promise.reject(new Error('no name server answers')),
  });
  expect((await create({ ...creators, vendor, app: offline.app }, creation, key)).text).toBe(
    first.text,
  );
  await offline.app.close();
});
