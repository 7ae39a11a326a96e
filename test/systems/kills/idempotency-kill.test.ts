import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { untilLockWaits } from '../../support/database/locks.ts';
import {
  processTest as test,
  type GatewayProcess,
} from '../../support/gateway/gateway-processes.ts';
import { callersOf } from '../processes/callers.ts';

const lockNumber = 1234;

/** Lets the commit of a kept answer wait for the lock, so that a test may act in between. */
const holdCommits = (sql: Sql) =>
  sql.unsafe(`
    create function hold_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${lockNumber}); return null; end $$;
    create constraint trigger hold_commit after insert on idempotency_keys
      deferrable initially deferred for each row execute function hold_commit()`);

test.for([
  ['/api/v1/scent/offers', freeFormOffer, 'offers', 1],
  ['/api/v1/credentials', { capabilities: 'Offers' }, 'credentials', 2],
] as const)(
  'kill -9 between the commit and the answer: the repeated call creates nothing more: %s',
  async ([path, body, table, total], { gateway, processes }) => {
    const { sql } = gateway;
    const first = await processes.startApi();
    const { newVendor } = await callersOf(gateway, first.url);
    const { token } = await newVendor('Vendor');
    const headers = {
      authorization: `Bearer ${await token()}`,
      'content-type': 'application/json',
      'x-service-environment': 'Production',
      'idempotency-key': randomUUID(),
    };
    const post = ({ url }: GatewayProcess) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await holdCommits(sql);
    const holder = await sql.reserve();
    await holder`select pg_advisory_lock(${lockNumber})`;
    const lost = post(first).catch(() => null);
    await untilLockWaits(sql, 1);
    await first.end('SIGKILL');
    expect(await lost).toBeNull();
    await holder`select pg_advisory_unlock(${lockNumber})`;
    holder.release();
    const stored = () => sql`select from ${sql(table)}`;
    await vi.waitFor(async () => expect(await stored()).toHaveLength(total), 10_000);

    const second = await processes.startApi();
    const texts = [];
    for (let time = 1; time <= 2; time += 1) {
      const again = await post(second);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      texts.push(await again.text());
    }
    expect(texts[1]).toBe(texts[0]);
    const [row] = await sql<
      { id: string }[]
    >`select id from ${sql(table)} order by id desc limit 1`;
    expect(texts[0]).toContain(`"id":"${row?.id}"`);
    expect(await stored()).toHaveLength(total);
  },
);
