import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';
import { leastId } from '../../db/checks/waiting-rows.ts';
import { createSealer } from '../../security/sealer.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { newSecretsKey } from '../support/seeds/sealed-secrets.ts';
import { seedOffer, seedOperator } from '../support/seeds/seed.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import type { World } from './doctor-fixture.ts';

const replaceSealed = async (sql: Sql, id: string, sealed: Buffer): Promise<void> => {
  await sql`update webhook_subscriptions set secret_sealed = ${sealed} where id = ${id}`;
};

/** Ends a run, until the list of open runs shows that too. */
const endRun = async ({ gateway }: World, workflowId: string): Promise<void> => {
  const { workflow } = gateway.client;
  await workflow.getHandle(workflowId).terminate('damage');
  const listed = `WorkflowId = '${workflowId}' and ExecutionStatus = 'Running'`;
  await vi.waitFor(async () => expect((await workflow.count(listed)).count).toBe(0), waiting);
};

export type Damage = {
  readonly check: string;
  /** Damages the record or the runs; answers the id of the subject, and a part of the text. */
  readonly damage: (world: World) => Promise<readonly [subjectId: string, text: string]>;
  /** No repair of the check mends it. */
  readonly isBeyondRepair?: true;
};

const damage = (
  check: string,
  run: (sql: Sql, world: World) => ReturnType<Damage['damage']>,
): Damage => ({ check, damage: (world) => run(world.gateway.sql, world) });

/** What the doctor names, each done to a sound record. */
export const damages: Readonly<Record<string, Damage>> = {
  'a review whose run is lost': damage('review-without-run', async (_sql, world) => {
    await endRun(world, offerReviewId(world.offer.id));
    return [world.offer.id, 'has no open run'];
  }),
  'a return whose run is lost': damage('return-without-run', async (_sql, world) => {
    await endRun(world, returnInspectionId(world.request.id));
    return [world.request.id, 'has no open run'];
  }),
  'a delivery whose run is lost': damage('delivery-without-run', async (_sql, world) => {
    await endRun(world, webhookDeliveryId(world.delivery.id));
    return [world.delivery.id, 'has no open run'];
  }),
  'a delivery batch whose run is lost': damage('batch-without-run', async (sql, { delivered }) => {
    const batchId = uuidv7();
    await sql`
        insert into webhook_delivery_batches (id, delivery_ids)
        values (${batchId}, array[${delivered.id}::uuid])`;
    await sql`
        update webhook_deliveries set state = 'waiting', batch_id = ${batchId}
        where id = ${delivered.id}`;
    return [batchId, 'has no open run'];
  }),
  'a switch whose run is lost': damage('switch-without-run', async (sql, { vendorId }) => {
    await sql`
        update supply_options set rate_basis_points = 1 where vendor_id = ${vendorId}`;
    return [vendorId, 'has no open run'];
  }),
  'a clock whose run is lost': damage('clock-without-run', async (sql, { vendorId }) => {
    await sql`
        insert into clock_advances (vendor_id, target, target_offset)
        values (${vendorId}, now(), '0')`;
    return [vendorId, 'has no open run'];
  }),
  'a bulk job whose run is lost': damage('job-without-run', async (sql, { vendorId }) => {
    const id = uuidv7();
    await sql`
        insert into bulk_jobs (id, vendor_id, kind, state, item_count)
        values (${id}, ${vendorId}, 'pushCosts', 'Running', 0)`;
    return [id, 'has no open run'];
  }),
  'a review job whose run is lost': damage('review-job-without-run', async (sql) => {
    const id = uuidv7();
    await sql`
        insert into review_jobs (id, operator_id, action, request_id, state, item_count)
        values (${id}, ${(await seedOperator(sql)).id}, 'apply', 'request', 'Running', 0)`;
    return [id, 'has no open run'];
  }),
  'a review that waits for nothing': damage('review-run-differs', async (sql, { offer }) => {
    await sql`update offers set awaiting_since = null where id = ${offer.id}`;
    return [offer.id, 'it waits for nothing'];
  }),
  'a review without an offer': damage(
    'review-run-differs',
    async (sql, { gateway: { client }, vendorId }) => {
      const restore = await saveRecord(sql);
      const offer = await seedOffer(sql, vendorId);
      // Until the list of runs shows that the run has read its row.
      const shown = `WorkflowId = '${offerReviewId(offer.id)}' and ReviewState = 'PendingMatch'`;
      await vi.waitFor(
        async () => expect((await client.workflow.count(shown)).count).toBe(1),
        waiting,
      );
      await restore();
      return [offer.id, 'no row in the record'];
    },
  ),
  'a return behind its run': damage('return-run-differs', async (sql, { request }) => {
    await sql`update return_requests set version = 1 where id = ${request.id}`;
    return [request.id, 'has version 1, and its run has read version'];
  }),
  'a run of an ended delivery': damage('delivery-run-differs', async (sql, { delivery }) => {
    await sql`update webhook_deliveries set state = 'cancelled' where id = ${delivery.id}`;
    return [delivery.id, 'is cancelled'];
  }),
  'an overdue delivery': damage('delivery-run-differs', async (sql, { delivery }) => {
    await sql`
        update webhook_attempts set next_attempt_at = now() - interval '1 hour'
        where delivery_id = ${delivery.id}`;
    return [delivery.id, 'has been overdue since'];
  }),
  'an event without deliveries': damage('event-without-delivery', async (sql, { delivered }) => {
    await sql`delete from webhook_deliveries where id = ${delivered.id}`;
    return [delivered.eventId, 'has 0 of 1 deliveries'];
  }),
  'an event that is missing': damage('event-gap', async (sql, { vendorId }) => {
    await sql`
        update event_sequences set latest = latest + 1 where vendor_id = ${vendorId}`;
    return [vendorId, 'events of the numbers 1 to'];
  }),
  'an attempt without an end': damage('attempt-without-end', async (sql, { delivered }) => {
    const [attempt] = await sql<[{ id: string }]>`
        update webhook_attempts set succeeded = null where delivery_id = ${delivered.id}
        returning id`;
    return [attempt.id, `of delivery ${delivered.id} has no result`];
  }),
  'too few counted attempts': damage('attempt-numbers', async (sql, { delivered }) => {
    await sql`update webhook_deliveries set attempts = 0 where id = ${delivered.id}`;
    return [delivered.id, 'counts 0 attempts, and the latest stored one has number 1'];
  }),
  'a delivery that misses an attempt': {
    ...damage('attempt-numbers', async (sql, { delivery: { id } }) => {
      await sql`
        insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
          event_id, succeeded, next_attempt_at)
        select uuidv7(), delivery_id, subscription_id, 3, event_type, event_id, false,
          next_attempt_at
        from webhook_attempts where delivery_id = ${id}`;
      await sql`update webhook_deliveries set attempts = 3 where id = ${id}`;
      return [id, 'misses an attempt: 2 are stored, of the numbers 1 to 3'];
    }),
    isBeyondRepair: true,
  },
  'a missing supply option': damage('supply-differs', async (sql, { approved }) => {
    await sql`delete from supply_options where offer_id = ${approved.id}`;
    return [approved.id, 'is Approved and has no supply option'];
  }),
  'a supply option with another stock': damage('supply-differs', async (sql, { approved }) => {
    await sql`update supply_options set stock_quantity = 99 where offer_id = ${approved.id}`;
    return [approved.id, 'another stock'];
  }),
  'a supply option with another price': damage('supply-differs', async (sql, { approved }) => {
    await sql`update supply_options set net = net + 1 where offer_id = ${approved.id}`;
    return [approved.id, 'another price'];
  }),
  'a waiting offer that no search finds': damage('offer-unfound', async (sql, { offer }) => {
    await sql`delete from waiting_offers where offer_id = ${offer.id}`;
    await sql`delete from waiting_terms where offer_id = ${offer.id}`;
    return [offer.id, 'a search does not find it'];
  }),
  'another status in a history': damage('offer-history', async (sql, { approved: { id } }) => {
    await sql`
        insert into offer_status_changes (offer_id, from_status, to_status, at)
        values (${id}, 'Approved', 'Suspended', now())`;
    return [id, 'is Approved, and its latest status change is to Suspended'];
  }),
  'a return without a history': damage('return-history', async (sql, { request: { id } }) => {
    await sql`delete from return_status_changes where return_id = ${id}`;
    return [id, 'its latest status change is to nothing'];
  }),
  'a wrong count of offers': damage('offer-counts', async (sql, { vendorId }) => {
    await sql`
        insert into offer_counts (vendor_id, status, is_awaiting, delta)
        values (${vendorId}, 'Approved', false, 5)`;
    return [vendorId, 'the kept count is 6, and there are 1'];
  }),
  'a wrong count of returns': damage('list-counts', async (sql, { request }) => {
    await sql`delete from list_counts where list = 'returns' and span = 'hour'`;
    return [request.vendorId ?? '', 'the kept count is 0, and there are 1'];
  }),
  'a wrong count of orders': damage('list-counts', async (sql, { request }) => {
    await sql`delete from list_counts where list = 'orders'`;
    return [request.vendorId ?? '', 'the kept count is 0, and there are 1'];
  }),
  'a wrong count of attempts': damage('attempt-counts', async (sql, { subscriptionId }) => {
    await sql`
        insert into attempt_counts (subscription_id, delta) values (${subscriptionId}, -2)`;
    return [subscriptionId, 'the kept count is'];
  }),
  'a wrong count of deliveries': damage('delivery-counts', async (sql, { vendorId }) => {
    await sql`delete from delivery_counts where vendor_id = ${vendorId}`;
    return [vendorId, 'the kept count is 0, and there are 1'];
  }),
  'a wrong count of decisions': damage('activity-counts', async (sql, { vendorId }) => {
    await sql`delete from activity_counts where vendor_id = ${vendorId} and kind = 'offer.approve'`;
    return [vendorId, 'the kept count is 0, and there are 1'];
  }),
  'a wrong count of all returns': damage('activity-counts', async (sql) => {
    await sql`
        insert into activity_counts (vendor_id, kind, hour, delta)
        select ${leastId}, 'return.requested', date_trunc('hour', requested_at, 'UTC'), 4
        from return_requests limit 1`;
    return [leastId, 'the kept count is 5, and there are 1'];
  }),
  'a wrong count of all attempts': damage('activity-counts', async (sql) => {
    await sql`
        insert into activity_counts (vendor_id, kind, hour, delta)
        values (${leastId}, 'attempt.failed', date_trunc('hour', now(), 'UTC') - interval '1 day', 2)`;
    return [leastId, 'the kept count is 2, and there are 0'];
  }),
  'a sequence that is behind': damage('sequence-behind', async (sql) => {
    const name = 'public.offer_status_changes_id_seq';
    await sql`select setval(${name}::regclass, 1)`;
    return [name, 'is at 1, and the highest number is'];
  }),
  'a message that is not handed over': damage('message-stuck', async (sql) => {
    // Of a later version, so that no relay of this one takes it.
    const [{ id }] = await sql<[{ id: string }]>`
        insert into outbox (kind, subject_id, payload, created_at, attempts, due_at)
        values ('offerReview', ${uuidv7()}, '{}', now() - interval '6 minutes', 3,
          now() + interval '1 minute')
        returning id`;
    return [id, 'after 3 attempts'];
  }),
  'a secret whose key is missing': damage(
    'secret-without-key',
    async (sql, { subscriptionId: id }) => {
      const sealer = createSealer(newSecretsKey());
      await replaceSealed(sql, id, sealer.seal('whsec_AAAA', id));
      return [id, `has a secret under the key ${sealer.keyIds[0]}: add that key to SECRETS_KEY`];
    },
  ),
  'a message set aside': damage('message-set-aside', async (sql) => {
    await sql`
        insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
          reason)
        values (7, 'new', ${uuidv7()}, '{}', false, now(), 'unknown')`;
    return ['7', 'was set aside'];
  }),
};
