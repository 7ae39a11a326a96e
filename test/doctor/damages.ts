import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';
import { leastId } from '../../db/checks/waiting-rows.ts';
import { compactCounters } from '../../db/lists/compact-counters.ts';
import { createSealer } from '../../security/sealer.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { newSecretsKey } from '../support/seeds/sealed-secrets.ts';
import { seedOffer, seedOperator } from '../support/seeds/seed.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import type { World } from './doctor-fixture.ts';

/** Ends a run, until the list of open runs shows that too. */
const endRun = async ({ gateway }: World, workflowId: string): Promise<void> => {
  const { workflow } = gateway.client;
  await workflow.getHandle(workflowId).terminate('damage');
  const listed = `WorkflowId = '${workflowId}' and ExecutionStatus = 'Running'`;
  await vi.waitFor(async () => expect((await workflow.count(listed)).count).toBe(0), waiting);
};

export type Damage = {
  readonly check: string;
  /** A part of what the finding says. */
  readonly text: string;
  /** Damages the record or the runs; returns the id of the subject. */
  readonly damage: (world: World) => Promise<string>;
};

type Subject = Exclude<keyof World, 'gateway'>;

/** `run` gets the id of the subject in the sound record, or returns the id of another. */
const damage = (
  check: string,
  subject: Subject,
  text: string,
  run: (sql: Sql, id: string, world: World) => PromiseLike<unknown>,
): Damage => ({
  check,
  text,
  damage: async (world) => {
    const of = world[subject];
    const id = typeof of === 'string' ? of : of.id;
    const other = await run(world.gateway.sql, id, world);
    return typeof other === 'string' ? other : id;
  },
});

const isLost = 'has no open run';
/** No repair of its check mends this damage. */
export const missing = 'misses an attempt: 2 are stored, of the numbers 1 to 3';
const noneKept = 'the kept count is 0, and there are 1';

const runs = [
  ['review-without-run', 'offer', offerReviewId],
  ['return-without-run', 'request', returnInspectionId],
  ['delivery-without-run', 'delivery', webhookDeliveryId],
] as const;

/** What the doctor names, each done to a sound record. */
export const damages: readonly Damage[] = [
  ...runs.map(([check, subject, workflowIdOf]) =>
    damage(check, subject, isLost, (_sql, id, world) => endRun(world, workflowIdOf(id))),
  ),
  damage('switch-without-run', 'vendorId', isLost, async (sql, id) => {
    await sql`update supply_options set rate_basis_points = 1 where vendor_id = ${id}`;
  }),
  damage('clock-without-run', 'vendorId', isLost, async (sql, id) => {
    await sql`
      insert into clock_advances (vendor_id, target, target_offset) values (${id}, now(), '0')`;
  }),
  damage('job-without-run', 'vendorId', isLost, async (sql, vendorId) => {
    const id = uuidv7();
    await sql`
      insert into bulk_jobs (id, vendor_id, kind, state, item_count)
      values (${id}, ${vendorId}, 'pushCosts', 'Running', 0)`;
    return id;
  }),
  damage('review-job-without-run', 'vendorId', isLost, async (sql) => {
    const id = uuidv7();
    await sql`
      insert into review_jobs (id, operator_id, action, request_id, state, item_count)
      values (${id}, ${(await seedOperator(sql)).id}, 'apply', 'request', 'Running', 0)`;
    return id;
  }),
  damage('review-run-differs', 'offer', 'it waits for nothing', async (sql, id) => {
    await sql`update offers set awaiting_since = null where id = ${id}`;
  }),
  damage('review-run-differs', 'vendorId', 'no row in the record', async (sql, id, world) => {
    const restore = await saveRecord(sql);
    const offer = await seedOffer(sql, id);
    const { workflow } = world.gateway.client;
    // Until the list of runs shows that the run has read its row.
    const shown = `WorkflowId = '${offerReviewId(offer.id)}' and ReviewState = 'PendingMatch'`;
    await vi.waitFor(async () => expect((await workflow.count(shown)).count).toBe(1), waiting);
    await restore();
    return offer.id;
  }),
  damage('return-run-differs', 'request', 'has version 1, and its run', async (sql, id) => {
    await sql`update return_requests set version = 1 where id = ${id}`;
  }),
  damage('delivery-run-differs', 'delivery', 'is cancelled', async (sql, id) => {
    await sql`update webhook_deliveries set state = 'cancelled' where id = ${id}`;
  }),
  damage('delivery-run-differs', 'delivery', 'has been overdue since', async (sql, id) => {
    await sql`
      update webhook_attempts set next_attempt_at = now() - interval '1 hour'
      where delivery_id = ${id}`;
  }),
  damage('event-without-delivery', 'delivered', 'has 0 of 1 deliveries', async (sql, id, world) => {
    await sql`delete from webhook_deliveries where id = ${id}`;
    return world.delivered.eventId;
  }),
  damage('event-gap', 'vendorId', 'events of the numbers 1 to', async (sql, id) => {
    await sql`update event_sequences set latest = latest + 1 where vendor_id = ${id}`;
  }),
  damage('attempt-without-end', 'delivered', 'has no result', async (sql, id) => {
    const [attempt] = await sql<[{ id: string }]>`
      update webhook_attempts set succeeded = null where delivery_id = ${id} returning id`;
    return attempt.id;
  }),
  damage('attempt-numbers', 'delivered', 'counts 0 attempts, and the latest', async (sql, id) => {
    await sql`update webhook_deliveries set attempts = 0 where id = ${id}`;
  }),
  damage('attempt-numbers', 'delivery', missing, async (sql, id) => {
    await sql`
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, next_attempt_at)
      select uuidv7(), delivery_id, subscription_id, 3, event_type, event_id, false, next_attempt_at
      from webhook_attempts where delivery_id = ${id}`;
    await sql`update webhook_deliveries set attempts = 3 where id = ${id}`;
  }),
  damage('delivery-unlisted', 'delivered', 'is succeeded, and listed as failed', (sql, id) =>
    sql.begin(async (transaction) => {
      // Without the trigger that keeps it.
      await transaction`set local session_replication_role = replica`;
      await transaction`update webhook_deliveries set listed_state = 'failed' where id = ${id}`;
    }),
  ),
  damage('supply-differs', 'approved', 'is Approved and has no supply option', async (sql, id) => {
    await sql`delete from supply_options where offer_id = ${id}`;
  }),
  damage('supply-differs', 'approved', 'another stock', async (sql, id) => {
    await sql`update supply_options set stock_quantity = 99 where offer_id = ${id}`;
  }),
  damage('supply-differs', 'approved', 'another price', async (sql, id) => {
    await sql`update supply_options set net = net + 1 where offer_id = ${id}`;
  }),
  damage('offer-unfound', 'offer', 'a search does not find it', async (sql, id) => {
    await sql`delete from waiting_offers where offer_id = ${id}`;
  }),
  damage('offer-unfound', 'approved', 'does not wait', async (sql, id) => {
    await sql`
      insert into waiting_offers (offer_id, awaiting_since, words) values (${id}, now(), '')`;
  }),
  damage(
    'offer-history',
    'approved',
    'its latest status change is to Suspended',
    async (sql, id) => {
      await sql`
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      values (${id}, 'Approved', 'Suspended', now())`;
    },
  ),
  damage('return-history', 'request', 'its latest status change is to nothing', async (sql, id) => {
    await sql`delete from return_status_changes where return_id = ${id}`;
  }),
  damage('offer-counts', 'vendorId', 'the kept count is 6, and there are 1', async (sql, id) => {
    await sql`
      insert into offer_counts (vendor_id, status, is_awaiting, delta)
      values (${id}, 'Approved', false, 5)`;
  }),
  damage('list-counts', 'request', noneKept, async (sql, _id, { request }) => {
    await sql`
      insert into list_counts
        (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
      select list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, -delta
      from all_list_counts() where list = 'returns' and span = 'hour'`;
    return request.vendorId;
  }),
  damage('list-counts', 'request', noneKept, async (sql, _id, { request }) => {
    await sql`
      insert into list_counts (list, vendor_id, status, span, starts_at, delta)
      select list, vendor_id, status, span, starts_at, -delta
      from all_list_counts() where list = 'orders'`;
    return request.vendorId;
  }),
  damage('attempt-counts', 'subscriptionId', 'the kept count is', async (sql, id) => {
    await sql`insert into attempt_counts (subscription_id, delta) values (${id}, -2)`;
  }),
  damage('delivery-counts', 'vendorId', noneKept, async (sql, id) => {
    await sql`delete from delivery_counts where vendor_id = ${id}`;
  }),
  damage('activity-counts', 'vendorId', noneKept, async (sql, id) => {
    // Until a compaction has kept it, the count of the approval is a row of `audit_counts`.
    await vi.waitFor(async () => {
      await compactCounters(sql);
      const { count } = await sql`
        delete from activity_counts where vendor_id = ${id} and kind = 'offer.approve'`;
      expect(count).toBeGreaterThan(0);
    }, waiting);
  }),
  damage('activity-counts', 'vendorId', 'the kept count is 5, and there are 1', async (sql) => {
    await sql`
      insert into activity_counts (vendor_id, kind, hour, delta)
      select ${leastId}, 'return.requested', date_trunc('hour', requested_at, 'UTC'), 4
      from return_requests limit 1`;
    return leastId;
  }),
  damage('activity-counts', 'vendorId', 'the kept count is 2, and there are 0', async (sql) => {
    await sql`
      insert into activity_counts (vendor_id, kind, hour, delta)
      values (${leastId}, 'attempt.failed', date_trunc('hour', now(), 'UTC') - interval '1 day', 2)`;
    return leastId;
  }),
  damage('sequence-behind', 'vendorId', 'is at 1, and the highest number is', async (sql) => {
    const name = 'public.offer_status_changes_id_seq';
    await sql`select setval(${name}::regclass, 1)`;
    return name;
  }),
  damage('message-stuck', 'vendorId', 'after 3 attempts', async (sql) => {
    // Of a later version, so that no relay of this one takes it.
    const [{ id }] = await sql<[{ id: string }]>`
      insert into outbox (kind, subject_id, payload, created_at, attempts, due_at)
      values ('offerReview', ${uuidv7()}, '{}', now() - interval '6 minutes', 3,
        now() + interval '1 minute')
      returning id`;
    return id;
  }),
  damage('secret-without-key', 'subscriptionId', 'add that key to SECRETS_KEY', async (sql, id) => {
    await sql`
      update webhook_subscriptions
      set secret_sealed = ${createSealer(newSecretsKey()).seal('whsec_AAAA', id)} where id = ${id}`;
  }),
  damage('message-set-aside', 'vendorId', 'was set aside', async (sql) => {
    await sql`
      insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
        reason)
      values (7, 'new', ${uuidv7()}, '{}', false, now(), 'unknown')`;
    return '7';
  }),
];
