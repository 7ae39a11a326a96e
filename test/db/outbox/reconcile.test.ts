import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../../db/core/client.ts';
import { reconcile } from '../../../db/outbox/reconcile.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  ago,
  idOf,
  seedOldDelivery,
  seedOldDispatch,
  type OldDelivery,
} from '../../support/old-deliveries.ts';
import { moveReturnTo, seedReturn } from '../../support/seed-returns.ts';
import { seedVariant } from '../../support/seed.ts';
import { addSubscription, addVendor } from '../support.ts';

let database: TestDatabase;
let sql: Sql;
let vendorId: string;
let subscriptionId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 5, name: 'test' });
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate webhook_subscriptions, webhook_deliveries, webhook_attempts, webhook_events, webhook_delivery_batches, outbox`;
  vendorId = await addVendor(sql);
  subscriptionId = await addSubscription(sql, vendorId);
});

const graceMs = 600_000;
const overdue = ago(graceMs + 60_000);
const recent = ago(graceMs - 60_000);
const seed = (given: Partial<OldDelivery> = {}): Promise<string> =>
  seedOldDelivery(sql, { vendorId, subscriptionId, at: overdue, state: 'waiting', ...given });
type Message = {
  readonly kind: string;
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
};
const messages = () => sql<Message[]>`select kind, subject_id, payload from outbox order by id`;
const nothing = { deliveries: 0, deliveryBatches: 0, returns: 0 };

describe('a delivery that waits without a run', () => {
  test('gets a message once, by which it goes on behind its latest attempt on a fresh schedule', async () => {
    const fresh = await seed();
    const failed = await seed({ attempts: [{ at: overdue, nextAttemptAt: overdue }] });
    const lost = await seed({ attempts: [{ at: overdue, succeeded: null }] });
    const asked = Date.now();

    expect(await reconcile(sql, graceMs)).toEqual({ ...nothing, deliveries: 3 });

    const found = await messages();
    expect(
      new Map(found.map(({ subjectId, payload }) => [subjectId, payload['attempts']])),
    ).toEqual(
      new Map([
        [fresh, 0],
        [failed, 1],
        [lost, 1],
      ]),
    );
    for (const { kind, payload } of found) {
      expect(kind).toBe('webhookDelivery');
      const eventType = 'vendor.offer.review-decision';
      expect(payload).toMatchObject({ vendorId, eventType, signal: 'retry', tries: 0 });
      expect(Date.parse(String(payload['dueAt']))).toBeGreaterThanOrEqual(asked - 1000);
    }
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
    expect(await messages()).toHaveLength(3);
  });

  test('gets none while its attempt, or its message, is not overdue', async () => {
    await seed({ at: recent });
    await seed({ attempts: [{ at: overdue, nextAttemptAt: recent }] });
    await seed({ attempts: [{ at: overdue, nextAttemptAt: new Date(Date.now() + 3_600_000) }] });
    await seed({ attempts: [{ at: overdue }, { at: recent, succeeded: null }] });
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
  });

  test('gets none when it has a message', async () => {
    const id = await seed();
    await sql`insert into outbox (kind, subject_id, payload) values ('webhookDelivery', ${id}, '{}')`;
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
    expect(await messages()).toHaveLength(1);
  });

  test.each(['succeeded', 'deadLettered', 'cancelled', 'failed'] as const)(
    'gets none when it has ended: %s',
    async (state) => {
      await seed({ state, attempts: [{ at: overdue }] });
      expect(await reconcile(sql, graceMs)).toEqual(nothing);
    },
  );
});

const seedDispatch = async (
  given: { readonly at?: Date; readonly state?: OldDelivery['state'] } = {},
) => {
  const { at = overdue, state = 'waiting' } = given;
  const batchId = idOf(at);
  const deliveryIds = [await seed({ batchId, state }), await seed({ batchId, state: 'succeeded' })];
  await seedOldDispatch(sql, { id: batchId, deliveryIds, at });
  return batchId;
};

describe('a dispatch', () => {
  test('that has deliveries left and no run gets a message once, and its deliveries none', async () => {
    const batchId = await seedDispatch();
    expect(await reconcile(sql, graceMs)).toEqual({ ...nothing, deliveryBatches: 1 });
    expect(await messages()).toEqual([
      { kind: 'webhookDeliveryBatch', subjectId: batchId, payload: { size: 2 } },
    ]);
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
  });

  test('that has nothing left, is not overdue, or has a message gets none', async () => {
    await seedDispatch({ state: 'succeeded' });
    await seedDispatch({ at: recent });
    const asked = await seedDispatch();
    await sql`insert into outbox (kind, subject_id, payload) values ('webhookDeliveryBatch', ${asked}, '{}')`;
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
  });
});

async function returnIn(
  status: 'Received' | 'UnderInspection',
  dueAt: Date,
  isFlagged = false,
): Promise<ReturnRequest> {
  const variantId = await seedVariant(sql);
  const made = await seedReturn(sql, {
    vendorId,
    variantId,
    times: { startMs: 1000, windowMs: 1000 },
  });
  const received = await moveReturnTo(sql, made, 'Received');
  await sql`
    update return_requests set received_at = ${new Date(dueAt.getTime() - 1000)}
    where id = ${received.id}`;
  if (status === 'UnderInspection') {
    await sql`
      update return_requests set status = 'UnderInspection', inspection_started_at = ${dueAt},
        inspection_deadline = ${dueAt}, requires_staff_review = ${isFlagged}
      where id = ${received.id}`;
  }
  await sql`delete from outbox`;
  return received;
}
describe('a return', () => {
  beforeEach(async () => {
    await sql`update return_requests set status = 'Closed' where status in ('Received', 'UnderInspection')`;
  });

  test.each(['Received', 'UnderInspection'] as const)(
    'that is overdue without a run gets a message once: %s',
    async (status) => {
      const { id } = await returnIn(status, overdue);
      expect(await reconcile(sql, graceMs)).toEqual({ ...nothing, returns: 1 });
      expect(await messages()).toEqual([
        {
          kind: 'returnInspection',
          subjectId: id,
          payload: {
            vendorId,
            signal: 'changed',
            inspectionStartMs: 1000,
            inspectionWindowMs: 1000,
          },
        },
      ]);
      expect(await reconcile(sql, graceMs)).toEqual(nothing);
    },
  );

  test.each(['Received', 'UnderInspection'] as const)(
    'that is not overdue gets none: %s',
    async (status) => {
      await returnIn(status, recent);
      expect(await reconcile(sql, graceMs)).toEqual(nothing);
    },
  );

  test('that waits for staff gets none', async () => {
    await returnIn('UnderInspection', overdue, true);
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
  });
});

const stored = async (id: string) =>
  (await sql`select state, is_under_way from webhook_deliveries where id = ${id}`)[0];

describe('a sample', () => {
  test('that nobody sent is ended, and never sent late', async () => {
    const id = await seed({ isTest: true });
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
    expect(await stored(id)).toEqual({ state: 'cancelled', isUnderWay: false });
    expect(await messages()).toEqual([]);
  });

  test('that was fired just now is left alone', async () => {
    const id = await seed({ isTest: true, at: recent });
    expect(await reconcile(sql, graceMs)).toEqual(nothing);
    expect(await stored(id)).toMatchObject({ state: 'waiting' });
  });

  test('whose attempt was lost with its worker is ended, and the attempt is not under way for ever', async () => {
    const id = await seed({ isTest: true, attempts: [{ at: overdue, succeeded: null }] });
    await reconcile(sql, graceMs);
    const attempts = await sql`select succeeded from webhook_attempts where delivery_id = ${id}`;
    expect(await stored(id)).toEqual({ state: 'cancelled', isUnderWay: false });
    expect(attempts).toEqual([{ succeeded: false }]);
  });
});

test('what one round leaves, the next one takes', async () => {
  await sql`
    with made as (
      insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
      select 'evt_' || uuidv7(), ${vendorId}, 'vendor.offer.review-decision', '{}', now()
      from generate_series(1, 1500) returning id
    )
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, created_at)
    select uuidv7(), id, ${subscriptionId}, ${vendorId}, 'vendor.offer.review-decision', ${overdue} from made`;
  expect(await reconcile(sql, graceMs)).toEqual({ ...nothing, deliveries: 1000 });
  expect(await reconcile(sql, graceMs)).toEqual({ ...nothing, deliveries: 500 });
  expect(await reconcile(sql, graceMs)).toEqual(nothing);
});
