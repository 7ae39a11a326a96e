import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  postponeOutboxMessages,
} from '../../../db/outbox/outbox.ts';
import { countOf, deferred } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { held } from '../../support/database/locks.ts';

const test = databaseTest.extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
  const sql = connect(`${database.url}?lock_timeout=2000`, { max: 10, name: 'test' });
  onCleanup(() => sql.end());
  return sql;
});

test.beforeEach(async ({ sql }) => {
  await sql`truncate outbox restart identity`;
});

const put = (sql: Sql, subjectId: string = randomUUID()) => sql`
  insert into outbox (kind, subject_id, payload)
  values ('offerReview', ${subjectId}, ${sql.json({ vendorId: 'v' })})`;

const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

test('claims messages as they were written, the oldest first', async ({ sql }) => {
  const subjectId = randomUUID();
  await put(sql, subjectId);
  await put(sql);
  const messages = await claimOutboxMessages(sql, { limit: 10, lane: 'all' });
  expect(idsOf(messages)).toEqual(['1', '2']);
  const payload = { vendorId: 'v' };
  expect(messages[0]).toEqual({ id: '1', kind: 'offerReview', subjectId, payload });
});

test('hands over every message exactly once with eight concurrent claimers', async ({ sql }) => {
  for (let index = 0; index < 100; index += 1) await put(sql);
  const handedOver: string[] = [];
  const claimer = async () => {
    while ((await countOf(sql, 'outbox')) > 0) {
      await sql.begin(async (transaction) => {
        const ids = idsOf(await claimOutboxMessages(transaction, { limit: 7, lane: 'all' }));
        handedOver.push(...ids);
        await deleteOutboxMessages(transaction, ids);
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, claimer));
  expect(handedOver).toHaveLength(100);
  expect(new Set(handedOver).size).toBe(100);
});

test('keeps the order of messages to a workflow', async ({ sql }) => {
  const subjectId = randomUUID();
  const claimed: (readonly string[])[] = [];
  const handOver = async (transaction: Queryable) => {
    const ids = idsOf(await claimOutboxMessages(transaction, { limit: 10, lane: 'all' }));
    claimed.push(ids);
    await deleteOutboxMessages(transaction, ids);
  };
  await put(sql, subjectId);
  const commitEarlier = await held(sql, handOver);
  await put(sql, subjectId);
  await put(sql);
  const commitOther = await held(sql, handOver);
  await commitEarlier();
  await commitOther();
  expect(claimed).toEqual([['1'], ['3']]);
  expect(idsOf(await claimOutboxMessages(sql, { limit: 10, lane: 'all' }))).toEqual(['2']);
});

test('postpones a message twice as long each time, up to a minute', async ({ sql }) => {
  await put(sql);
  const waits = await sql.begin(async (transaction) => {
    const seen: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      await postponeOutboxMessages(transaction, ['1']);
      expect(await claimOutboxMessages(transaction, { limit: 10, lane: 'all' })).toEqual([]);
      // By the unmoving clock of a transaction.
      const [{ waitMs }] = await transaction<[{ waitMs: number }]>`
        select (extract(epoch from due_at - now()) * 1000)::float8 as wait_ms from outbox`;
      seen.push(waitMs);
    }
    return seen;
  });
  const doubled = [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200];
  expect(waits).toEqual([...doubled, 60_000, 60_000, 60_000]);
  await sql`update outbox set due_at = due_at - interval '1 minute'`;
  expect(await claimOutboxMessages(sql, { limit: 10, lane: 'all' })).toMatchObject([{ id: '1' }]);
  expect(await sql`select attempts from outbox`).toEqual([{ attempts: 12 }]);
});

test('notifies a listener of a new message', async ({ sql }) => {
  const notified = deferred<string>();
  const listening = await sql.listen('outbox', (payload) => {
    notified.resolve(payload);
  });
  await put(sql);
  expect(await notified.promise).toBe('commands');
  await listening.unlisten();
});

test('limits the messages of low priority in a claim', async ({ sql }) => {
  await sql`
    insert into outbox (kind, subject_id, payload, is_low_priority)
    select 'offerReview', gen_random_uuid(), '{}', number <= 5
    from generate_series(1, 8) as number`;
  const claimed = (lowPriorityMax: number) =>
    sql.begin(
      async (transaction) =>
        (await claimOutboxMessages(transaction, { limit: 10, lane: 'all', lowPriorityMax })).length,
    );
  expect(await claimed(0)).toBe(3);
  expect(await claimed(2)).toBe(5);
  expect(await claimed(10)).toBe(8);
});

// Messages of an earlier version, which no lane hands to Temporal, are 4, 5 and 8.
test('claims the messages of its lanes and no others', async ({ sql }) => {
  await sql`
    insert into outbox (kind, subject_id, payload)
    select kind, gen_random_uuid(), payload::jsonb from (values
      ('offerReview', '{}'), ('agreementSwitch', '{}'),
      ('returnInspection', '{"signal":"redeliver"}'),
      ('webhookDelivery', '{"signal":"start"}'), ('webhookDelivery', '{"signal":"redeliver"}'),
      ('webhookDelivery', '{"signal":"retry"}'), ('webhookDelivery', '{"signal":"deactivated"}'),
      ('webhookDeliveryBatch', '{"size":2}')
    ) as each (kind, payload)`;
  const claimed = await claimOutboxMessages(sql, { limit: 10, lane: 'all' });
  expect(idsOf(claimed)).toEqual(['1', '2', '3', '6', '7']);
});
