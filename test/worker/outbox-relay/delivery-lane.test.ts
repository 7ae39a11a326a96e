import { pino } from 'pino';
import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import type { OutboxMessage } from '../../../domain/messages.ts';
import { createDeliveryLane } from '../../../worker/outbox-relay/delivery-lane.ts';
import { addDeliveries, newSubscriber } from '../../db/webhooks/delivery-rows.ts';
import { countOf } from '../../db/support.ts';
import { freshDatabaseTest } from '../../support/database-test.ts';

const test = freshDatabaseTest.extend('subscriber', ({ sql }) => newSubscriber(sql));

class Outage extends Error {}

/** A relay's lane, and what it handed to a Temporal that the test turns off and on. */
function newLane(sql: Sql, temporal: { isAway: boolean } = { isAway: false }) {
  const sent: OutboxMessage[] = [];
  const round = createDeliveryLane({
    sql,
    handleMessage: async (message) => {
      if (temporal.isAway) throw new Outage('away');
      sent.push(message);
    },
    isOutage: (error) => error instanceof Outage,
    log: pino({ level: 'silent' }),
  });
  return { round, sent };
}
const kinds = (sent: readonly OutboxMessage[]) => sent.map(({ kind }) => kind);
/** The deliveries that Temporal got, in their own runs or in batches, with repeats. */
async function reached(sql: Sql, sent: readonly OutboxMessage[]): Promise<readonly string[]> {
  const each = await Promise.all(
    sent.map(async ({ kind, subjectId }) => {
      if (kind === 'webhookDelivery') return [subjectId];
      const rows = await sql<{ deliveryIds: string[] }[]>`
        select delivery_ids from webhook_delivery_batches where id = ${subjectId}`;
      return rows.flatMap(({ deliveryIds }) => deliveryIds);
    }),
  );
  return each.flat().toSorted();
}

test('a lone delivery goes at once, in a run of its own', async ({ sql, subscriber }) => {
  const { round, sent } = newLane(sql);
  const ids = await addDeliveries(sql, subscriber, 1);
  expect(await round()).toEqual({ ms: 1000 });
  expect(sent.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
    ['webhookDelivery', ids[0]],
  ]);
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('a burst goes at once, in one run', async ({ sql, subscriber }) => {
  const { round, sent } = newLane(sql);
  const ids = await addDeliveries(sql, subscriber, 40);
  await round();
  expect(kinds(sent)).toEqual(['webhookDeliveryBatch']);
  expect(await reached(sql, sent)).toEqual(ids.toSorted());
  expect(sent[0]?.payload).toEqual({ size: 40 });
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('what comes soon after a burst gathers: the rest is firm, at most 250 ms, and it goes after that', async ({
  sql,
  subscriber,
}) => {
  const { round, sent } = newLane(sql);
  await addDeliveries(sql, subscriber, 400);
  await round();
  await addDeliveries(sql, subscriber, 10);
  const rest = await round();
  // A slow machine may need longer to make them than the gathering lasts.
  if (kinds(sent).length === 1) {
    expect(rest).toMatchObject({ isFirm: true });
    expect(rest.ms).toBeGreaterThan(0);
    expect(rest.ms).toBeLessThanOrEqual(250);
    await new Promise((resolve) => setTimeout(resolve, rest.ms));
    await round();
  }
  expect(kinds(sent)).toEqual(['webhookDeliveryBatch', 'webhookDeliveryBatch']);
});

test('more deliveries than one batch holds do not wait for the next notification', async ({
  sql,
  subscriber,
}) => {
  const { round, sent } = newLane(sql);
  await addDeliveries(sql, subscriber, 501);
  expect(await round()).toEqual({ ms: 0 });
  expect(sent[0]?.payload).toEqual({ size: 500 });
  await round();
  expect(await countOf(sql, 'outbox')).toBe(0);
});

test('while Temporal is away nothing is lost, and when it is back everything goes once', async ({
  sql,
  subscriber,
}) => {
  const temporal = { isAway: true };
  const { round, sent } = newLane(sql, temporal);
  const ids: string[] = [];
  for (const count of [1, 2, 60, 3, 1]) {
    ids.push(...(await addDeliveries(sql, subscriber, count)));
    await round();
  }
  expect(sent).toEqual([]);
  temporal.isAway = false;
  while ((await countOf(sql, 'outbox')) > 0) {
    const { ms } = await round();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }
  expect(await reached(sql, sent)).toEqual(ids.toSorted());
});

test('a batch that another relay made and left behind is started by the next', async ({
  sql,
  subscriber,
}) => {
  const temporal = { isAway: true };
  const [one, two] = [newLane(sql, temporal), newLane(sql)];
  const ids = await addDeliveries(sql, subscriber, 30);
  await one.round();
  expect(await countOf(sql, 'outbox')).toBe(1);
  await two.round();
  expect(await reached(sql, two.sent)).toEqual(ids.toSorted());
});

test('two relays in a loop hand every delivery over once', async ({ sql, subscriber }) => {
  const lanes = [newLane(sql), newLane(sql)];
  const ids: string[] = [];
  const progress = { isOver: false };
  const feed = async () => {
    for (let count = 1; count <= 30; count += 1)
      ids.push(
        ...(await sql.begin((transaction) => addDeliveries(transaction, subscriber, count % 7))),
      );
    progress.isOver = true;
  };
  const relay = async ({ round }: ReturnType<typeof newLane>) => {
    while (!progress.isOver || (await countOf(sql, 'outbox')) > 0) {
      const { isFirm = false, ms } = await round();
      if (isFirm) await new Promise((resolve) => setTimeout(resolve, ms));
    }
  };
  await Promise.all([feed(), ...lanes.map(relay)]);
  expect(
    await reached(
      sql,
      lanes.flatMap(({ sent }) => sent),
    ),
  ).toEqual(ids.toSorted());
});

test('batches that gathered in an outage do not wait a second for every twenty of them', async ({
  sql,
}) => {
  const temporal = { isAway: false };
  const { round, sent } = newLane(sql, temporal);
  await sql`
    insert into outbox (kind, subject_id, payload)
    select 'webhookDeliveryBatch', gen_random_uuid(), '{"size":2}' from generate_series(1, 60)`;
  const { ms } = await round();
  expect(sent).toHaveLength(20);
  expect(ms).toBe(0);
});
