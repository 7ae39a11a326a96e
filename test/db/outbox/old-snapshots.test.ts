import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  type OutboxLane,
} from '../../../db/outbox/outbox.ts';
import { claimDeliveries } from '../../../db/webhooks/delivery-queue.ts';
import { createOutboxWalk } from '../../../relay/outbox-walk.ts';
import { createQueueWalk } from '../../../deliveries/queue-walk.ts';
import { freshDatabaseTest } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { holdSnapshot } from '../../support/database/hold-snapshot.ts';
import { held } from '../../support/database/locks.ts';
import { addDeliveries, newSubscriber, record, success } from '../webhooks/delivery-rows.ts';

/** Gives each test a connection, and begins a transaction that keeps all rows deleted since. */
const test = freshDatabaseTest
  .extend('claimer', ({ database }, { onCleanup }) => {
    const claimer = connect(database.url, { max: 1, name: 'test' });
    onCleanup(() => claimer.end());
    return claimer;
  })
  .extend('beginSnapshot', ({ database }, { onCleanup }) => {
    const held: Awaited<ReturnType<typeof holdSnapshot>>[] = [];
    onCleanup(async () => {
      await Promise.all(held.map((snapshot) => snapshot.release()));
    });
    return async (): Promise<void> => {
      held.push(await holdSnapshot(database.url));
    };
  });

const rows = 300;
const terms = { max: 100, ofEach: 100, busy: [], leaseMs: 60_000 };

test('claims and records past the deliveries that an old transaction keeps', async ({
  sql,
  claimer,
  beginSnapshot,
}) => {
  const subscribers = [await newSubscriber(sql), await newSubscriber(sql)];
  for (const subscriber of subscribers) await addDeliveries(sql, subscriber, rows);
  await sql`update delivery_queue set due_at = due_at - interval '1 minute'`;
  await sql`vacuum delivery_queue`;
  await beginSnapshot();
  const walk = createQueueWalk();
  const claim = async (by: Sql, max = 100, from: object = {}) => {
    const claimed = await claimDeliveries(by, { ...walk.next(), ...terms, max, ...from });
    const { deliveries } = claimed;
    if (deliveries.length > 0) await record(by, deliveries, success);
    return claimed;
  };
  for (let hasMore = true; hasMore;) hasMore = walk.advance(await claim(sql));
  // Now the planner takes the queue for empty.
  await sql`vacuum (analyze) delivery_queue`;
  const [one] = subscribers;
  if (one !== undefined) await addDeliveries(sql, one, 7);
  expect(
    await entriesReadBy(claimer, 'delivery_queue', async (by) => {
      expect((await claim(by, 1)).deliveries).toHaveLength(1);
    }),
  ).toBeLessThan(100);
  const since = '-infinity';
  expect(
    await entriesReadBy(claimer, 'delivery_queue', (by) => claim(by, 1, { since })),
  ).toBeGreaterThanOrEqual(2 * rows);
});

test('finds a subscription in few pages past the versions that an old transaction keeps', async ({
  sql,
  beginSnapshot,
}) => {
  const [one] = await Promise.all(Array.from({ length: 10 }, () => newSubscriber(sql)));
  await beginSnapshot();
  await sql`
    do $$ begin
      for version in 1..${sql.unsafe(String(rows))} loop
        update webhook_subscriptions set last_delivery_at = clock_timestamp();
      end loop;
    end $$`;
  const [explained] = await sql<[{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }]>`
    explain (analyze, buffers, format json)
    select url from webhook_subscriptions where id = ${one?.subscriptionId ?? ''}`;
  expect(explained['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(50);
});

test.for<OutboxLane>(['commands', 'all'])(
  'claims past the messages of the lane %s that an old transaction keeps',
  async (lane, { sql, claimer, beginSnapshot }) => {
    await beginSnapshot();
    const put = (count: number) => sql`
      insert into outbox (kind, subject_id, payload, is_low_priority)
      select 'offerReview', uuidv7(), ${sql.json({ vendorId: uuidv7() })}, low.is_low
      from generate_series(1, ${count}), (values (true), (false)) as low (is_low)`;
    await put(rows);
    const walk = createOutboxWalk(claimer, lane);
    await walk.look();
    const messages = await claimOutboxMessages(sql, { limit: rows, lane });
    await deleteOutboxMessages(
      sql,
      messages.map(({ id }) => id),
    );
    expect(await walk.look()).toBe(false);
    await walk.look();
    const read = (from: object) =>
      entriesReadBy(claimer, 'outbox', (by) =>
        claimOutboxMessages(by, { limit: 10, lane, ...from }),
      );
    expect(await read({})).toBeGreaterThanOrEqual(2 * rows);
    expect(await read({ since: walk.since() })).toBeLessThan(20);
    await put(1);
    expect(
      await claimOutboxMessages(claimer, { limit: 10, lane, since: walk.since() }),
    ).toHaveLength(2);
  },
);

test('finds a message that is stored after later ones are gone', async ({ sql }) => {
  const put = (by: Queryable) => by`
    insert into outbox (kind, subject_id, payload)
    values ('offerReview', uuidv7(), ${sql.json({ vendorId: uuidv7() })})`;
  const walk = createOutboxWalk(sql, 'commands');
  const claim = () =>
    claimOutboxMessages(sql, { limit: 10, lane: 'commands', since: walk.since() });
  const commit = await held(sql, (transaction) => put(transaction));
  await put(sql);
  await deleteOutboxMessages(
    sql,
    (await claim()).map(({ id }) => id),
  );
  await walk.look();
  await walk.look();
  await commit();
  await sql`update outbox set due_at = due_at - interval '1 minute'`;
  expect(await claim()).toEqual([]);
  expect(await walk.look()).toBe(true);
  expect(await claim()).toHaveLength(1);
});
