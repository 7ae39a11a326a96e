import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { holdLock, untilLockWaits } from '../../support/database/locks.ts';
import {
  processTest as test,
  type GatewayProcess,
} from '../../support/gateway/gateway-processes.ts';
import { callersOf } from '../processes/callers.ts';

const lockNumber = 1234;

/** Lets the commit of a kept response wait for the lock, so that a test may act in between. */
const holdCommits = (sql: Sql) =>
  sql.unsafe(`
    create function hold_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${lockNumber}); return null; end $$;
    create constraint trigger hold_commit after insert on idempotency_keys
      deferrable initially deferred for each row execute function hold_commit()`);

test('creates nothing more by calls repeated after kill -9 between commit and response', async ({
  gateway,
  processes,
}) => {
  const { sql } = gateway;
  const first = await processes.startApi();
  const { newVendor } = await callersOf(gateway, first.url);
  const headers = {
    authorization: `Bearer ${await (await newVendor('Vendor')).token()}`,
    'content-type': 'application/json',
    'x-service-environment': 'Production',
  };
  const calls = [
    { path: 'scent/offers', body: freeFormOffer, table: 'offers', total: 1 },
    { path: 'credentials', body: { capabilities: 'Offers' }, table: 'credentials', total: 2 },
  ].map(({ path, body, ...stored }) => {
    const init = {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    };
    return { ...stored, post: ({ url }: GatewayProcess) => fetch(`${url}/api/v1/${path}`, init) };
  });
  const idsIn = async (table: string): Promise<readonly string[]> =>
    (await sql<{ id: string }[]>`select id from ${sql(table)} order by id desc`).map(
      ({ id }) => id,
    );
  await holdCommits(sql);
  const release = await holdLock(sql, sql`select pg_advisory_xact_lock(${lockNumber})`);
  const lost = calls.map(({ post }) => post(first).catch(() => null));
  await untilLockWaits(sql, calls.length);
  await first.end('SIGKILL');
  expect(await Promise.all(lost)).toEqual([null, null]);
  await release();
  for (const { table, total } of calls)
    await vi.waitFor(async () => expect(await idsIn(table)).toHaveLength(total), 10_000);

  const second = await processes.startApi();
  for (const { table, total, post } of calls) {
    const texts = [];
    for (let time = 1; time <= 2; time += 1) {
      const again = await post(second);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      texts.push(await again.text());
    }
    expect(texts[1]).toBe(texts[0]);
    const ids = await idsIn(table);
    expect(ids).toHaveLength(total);
    expect(texts[0]).toContain(`"id":"${ids[0]}"`);
  }
});
