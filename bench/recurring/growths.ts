import { v7 as uuidv7 } from 'uuid';
import { operatorTotalMax } from '../../api/http/envelope.ts';
import { previewSwitch } from '../../db/accounts/agreements.ts';
import { pruneTokenCalls } from '../../db/accounts/token-calls.ts';
import { findWaitingRows, leastId } from '../../db/checks/waiting-rows.ts';
import type { Sql } from '../../db/core/client.ts';
import { onRollback } from '../../db/core/transaction.ts';
import { pruneKeys } from '../../db/idempotency/idempotency-keys.ts';
import { pruneJobs } from '../../db/jobs/job-results.ts';
import { compactCounters } from '../../db/lists/compact-counters.ts';
import { prunePageSnapshots } from '../../db/lists/page-snapshots.ts';
import { listOrders, type OrderFilter } from '../../db/orders/order-list.ts';
import { claimOutboxMessages, type OutboxLane } from '../../db/outbox/outbox.ts';
import { readRecord } from '../../db/watch/read-record.ts';
import { cancelStaleDeliveries } from '../../db/webhooks/cancel-deliveries.ts';
import { cancelStaleSamples } from '../../db/webhooks/cancel-samples.ts';
import { claimDeliveries } from '../../db/webhooks/delivery-queue.ts';
import { pruneWebhookHistory } from '../../db/webhooks/retention.ts';
import type { RunMessage } from '../../domain/messages.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import { seedOrder } from '../../test/support/returns/seed-returns.ts';
import { seedOperator, seedVariant } from '../../test/support/seeds/seed.ts';
import { ago, dayMs, seedManyDeliveries } from '../../test/support/webhooks/old-deliveries.ts';
import { seedBenchVendor, seedOffers } from '../harness/seed.ts';
import { seedGroups } from '../harness/seed-groups.ts';

/** A piece of work that the gateway repeats by itself, or that operators repeat. */
export type Work = {
  readonly name: string;
  /** Adds what one pass removes, the same for any size. */
  readonly before?: (sql: Sql) => Promise<unknown>;
  /** It reads all of the rows, by its nature. */
  readonly readsAll?: true;
  /** It counts to `countMax` rows at most, if it counts. */
  readonly run: (sql: Sql, countMax?: number) => Promise<unknown>;
};

/** Rows that grow in number, and the work that must not care. */
export type Growth = {
  readonly rows: string;
  /** Adds a given number of rows that the work leaves alone. */
  readonly add: (sql: Sql, count: number) => Promise<unknown>;
  readonly works: readonly Work[];
};

const retentionMs = 30 * dayMs;
/** A batch of the retention or less. */
const expired = 1000;
/** Deliveries of one statement. */
const seededAtOnce = 20_000;

const gauges: Work = {
  name: 'gauges',
  run: (sql, countMax) => readRecord(sql, countMax),
};

/** A vendor, and one subscription of it. */
async function addSubscriber(sql: Sql) {
  const vendorId = await seedBenchVendor(sql);
  const subscriptionId = uuidv7();
  await sql`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    values (${subscriptionId}, ${vendorId}, 'https://example.com/', '{vendor.order.assigned}',
      '')`;
  return { vendorId, subscriptionId };
}

const delivered: Growth = {
  rows: 'delivered events',
  add: async (sql, count) => {
    for (let left = count; left > 0; left -= seededAtOnce) {
      const seeded = { count: Math.min(left, seededAtOnce), days: 1, state: 'succeeded' } as const;
      await seedManyDeliveries(sql, await addSubscriber(sql), seeded);
    }
  },
  works: [
    {
      name: 'retention of webhooks',
      before: async (sql) => {
        const subscriber = await addSubscriber(sql);
        await seedManyDeliveries(sql, subscriber, { count: expired, days: 31, state: 'succeeded' });
      },
      run: (sql) => pruneWebhookHistory(sql, ago(retentionMs)),
    },
  ],
};

/** A page of the rows that must have a run, as the reconciliation reads them. */
const waitingPage = (kind: RunMessage['kind'], name: string): Work => ({
  name: `reconcile ${name}`,
  run: (sql) => findWaitingRows(sql, kind, { after: leastId, limit: 1000 }),
});

const waitingDeliveries: Growth = {
  rows: 'waiting deliveries',
  add: async (sql, count) => {
    const { vendorId, subscriptionId } = await addSubscriber(sql);
    await sql`
      with made as (
        select uuidv7(interval '-1 hour') as id, 'evt_' || uuidv7() as event_id
        from generate_series(1, ${count})
      ), events as (
        insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
        select event_id, ${vendorId}::uuid, 'vendor.order.assigned', '{}', now() from made
      ), deliveries as (
        insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type,
          attempts, created_at, next_attempt_at)
        select id, event_id, ${subscriptionId}::uuid, ${vendorId}::uuid, 'vendor.order.assigned', 1,
          now() - interval '1 hour', now() + interval '1 day'
        from made
      )
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, http_status, sent_at, succeeded, next_attempt_at)
      select id, id, ${subscriptionId}::uuid, 1, 'vendor.order.assigned', event_id, 500, now(),
        false, now() + interval '1 day'
      from made`;
    // Once active again, so that it has another epoch than a new one.
    await sql`
      update webhook_deliveries set epoch = 1 where subscription_id = ${subscriptionId}`;
    await sql`update webhook_subscriptions set epoch = 1 where id = ${subscriptionId}`;
    await cancelStaleDeliveries(sql);
  },
  works: [
    gauges,
    { name: 'cancel stale deliveries', run: cancelStaleDeliveries },
    { name: 'cancel stale samples', run: cancelStaleSamples },
    waitingPage('webhookDelivery', 'waiting deliveries'),
  ],
};

/**
 * Claims of a lane, rolled back: what a poll costs while a given number of messages of another lane
 * wait.
 */
const claim = (lane: OutboxLane): Work => ({
  name: `poll of the lane ${lane}`,
  run: (sql) =>
    onRollback(sql, (transaction) =>
      claimOutboxMessages(transaction, { limit: 100, lane, lowPriorityMax: 10 }),
    ),
});
const claimFirst: Work = {
  name: 'poll for first attempts',
  run: (sql) =>
    onRollback(sql, (transaction) =>
      claimDeliveries(transaction, {
        walkedTo: leastId,
        max: 100,
        ofEach: 32,
        busy: [],
        leaseMs: 60_000,
      }),
    ),
};

const polls = [gauges, claim('all'), claim('commands'), claimFirst];

const messagesOf = (rows: string, kind: string, payload: object): Growth => ({
  rows,
  add: (sql, count) => sql`
    insert into outbox (kind, subject_id, payload, is_low_priority)
    select ${kind}, uuidv7(), ${sql.json(payload as never)}, i % 2 = 0
    from generate_series(1, ${count}) as i`,
  works: polls,
});
const commandMessages = messagesOf('review messages', 'offerReview', { vendorId: uuidv7() });
const deliveryMessages = messagesOf('delivery run messages', 'webhookDelivery', {
  signal: 'retry',
});

const firstAttempts: Growth = {
  rows: 'queued deliveries',
  add: (sql, count) => sql`
    insert into delivery_queue (subscription_id, due_at, delivery_id)
    select id, now(), uuidv7() from generate_series(1, ${count}),
      (select uuidv7() as id) as subscription`,
  works: polls,
};

const tokenCalls: Growth = {
  rows: 'token clients',
  add: (sql, count) => sql`
    insert into token_calls (client_digest, called_at)
    select sha256(uuidv7()::text::bytea), array[clock_timestamp() + interval '1 hour']
    from generate_series(1, ${count})`,
  works: [
    {
      name: 'prune token calls',
      before: (sql) => sql`
        insert into token_calls (client_digest, called_at)
        select sha256(uuidv7()::text::bytea), array[clock_timestamp() - interval '1 hour']
        from generate_series(1, ${expired})`,
      run: pruneTokenCalls,
    },
  ],
};

const keptKeys: Growth = {
  rows: 'idempotency keys',
  add: (sql, count) => addKeys(sql, count, '0 hours'),
  works: [
    {
      name: 'prune idempotency keys',
      before: (sql) => addKeys(sql, expired, '25 hours'),
      run: pruneKeys,
    },
  ],
};
const addKeys = (sql: Sql, count: number, age: string) => sql`
  insert into idempotency_keys (id, request_sha256, status, answer_sealed, created_at)
  select sha256(uuidv7()::text::bytea), sha256('request'), 200, sha256('answer'),
    clock_timestamp() - ${age}::interval
  from generate_series(1, ${count})`;

const pastChanges: Growth = {
  rows: 'snapshots, past changes',
  add: (sql, count) => addPastChanges(sql, count, '0 hours'),
  works: [
    {
      name: 'prune page snapshots',
      before: (sql) => addPastChanges(sql, expired, '2 hours'),
      run: prunePageSnapshots,
    },
  ],
};
async function addPastChanges(sql: Sql, count: number, age: string): Promise<void> {
  const vendorId = await seedBenchVendor(sql);
  await sql`
    with snapshots as (
      insert into page_snapshots (list, vendor_id, changed_since, filter, page_size, token_id,
        latest_change_at, total_count, created_at)
      select 'groups', ${vendorId}, now(), '', 20, 'token-' || i, now(), 1000,
        clock_timestamp() - ${age}::interval
      from generate_series(1, ${count}) as i
    )
    insert into past_changes (list, vendor_id, id, status, changed_at, superseded_at)
    select 'groups', ${vendorId}, uuidv7(), 'Pending', now(), clock_timestamp() - ${age}::interval
    from generate_series(1, ${count})`;
}

const keptCounts: Growth = {
  rows: 'compacted counts',
  add: async (sql, count) => {
    await sql`
      insert into list_counts (list, vendor_id, status, span, starts_at, delta, is_compacted)
      select 'groups', ${uuidv7()}, 'Pending', 'hour', now() - i * interval '1 hour', 10, true
      from generate_series(1, ${count}) as i`;
    await sql`
      insert into offer_counts (vendor_id, status, is_awaiting, delta, is_compacted)
      select uuidv7(), 'Approved', false, 10, true from generate_series(1, ${count})`;
    await sql`
      insert into attempt_counts (subscription_id, delta, is_compacted)
      select uuidv7(), 10, true from generate_series(1, ${count})`;
    await sql`
      insert into delivery_counts (vendor_id, event_type, state, delta, is_compacted)
      select uuidv7(), 'vendor.order.assigned', 'succeeded', 10, true
      from generate_series(1, ${count})`;
  },
  works: [
    {
      name: 'compact counters',
      before: (sql) => sql`
        with lists as (
          insert into list_counts (list, vendor_id, status, span, starts_at, delta)
          select 'groups', (select vendor_id from list_counts where list = 'groups' limit 1),
            'Pending', 'ever', '-infinity', 1 from generate_series(1, ${expired})
        ), offers as (
          insert into offer_counts (vendor_id, status, is_awaiting, delta)
          select (select vendor_id from offer_counts limit 1), 'Approved', false, 1
          from generate_series(1, ${expired})
        ), attempts as (
          insert into attempt_counts (subscription_id, delta)
          select (select subscription_id from attempt_counts limit 1), 1
          from generate_series(1, ${expired})
        )
        insert into delivery_counts (vendor_id, event_type, state, delta)
        select (select vendor_id from delivery_counts limit 1), 'vendor.order.assigned',
          'succeeded', 1
        from generate_series(1, ${expired})`,
      run: compactCounters,
    },
  ],
};

const endedJobs: Growth = {
  rows: 'ended jobs',
  add: async (sql, count) => {
    const vendorId = await seedBenchVendor(sql);
    const operatorId = (await seedOperator(sql)).id;
    await addBulkJobs(sql, vendorId, count, '0 days');
    await addReviewJobs(sql, operatorId, count, '0 days');
  },
  works: [
    {
      name: 'retention of bulk jobs',
      before: async (sql) => addBulkJobs(sql, await seedBenchVendor(sql), 5, '400 days'),
      run: (sql) => pruneJobs(sql, 'bulk_jobs', ago(365 * dayMs)),
    },
    {
      name: 'retention of review jobs',
      before: async (sql) => addReviewJobs(sql, (await seedOperator(sql)).id, 5, '400 days'),
      run: (sql) => pruneJobs(sql, 'review_jobs', ago(365 * dayMs)),
    },
    waitingPage('bulkJob', 'bulk jobs'),
    waitingPage('reviewJob', 'review jobs'),
    gauges,
  ],
};
const addBulkJobs = (sql: Sql, vendorId: string, count: number, age: string) => sql`
  with jobs as (
    insert into bulk_jobs (id, vendor_id, kind, state, item_count, done_count, ended_at)
    select uuidv7(), ${vendorId}, 'pushCosts', 'Finished', 1, 1, now() - ${age}::interval
    from generate_series(1, ${count}) returning id
  )
  insert into bulk_job_results (job_id, index, http_status, state, details)
  select id, 0, 200, 'SUCCESS', '{}' from jobs`;
const addReviewJobs = (sql: Sql, operatorId: string, count: number, age: string) => sql`
  with jobs as (
    insert into review_jobs (id, operator_id, action, request_id, state, item_count, ended_at)
    select uuidv7(), ${operatorId}, 'apply', 'request', 'Finished', 1, now() - ${age}::interval
    from generate_series(1, ${count}) returning id
  )
  insert into review_job_results (job_id, index, http_status, state, details)
  select id, 0, 200, 'SUCCESS', '{}' from jobs`;

/** It reads each offer of its vendor once: here 9 of 10 offers of all. */
const switchPreview: Work = {
  name: 'preview of a switch',
  readsAll: true,
  run: async (sql) => {
    // The newest vendor has most of the offers.
    const [{ id }] = await sql<[{ id: string }]>`select id from vendors order by id desc limit 1`;
    return previewSwitch(sql, id, {
      pricingModel: 'PercentageOfSale',
      rateBasisPoints: 1000,
    });
  },
};
const addOffers =
  (status: OfferStatus) =>
  async (sql: Sql, count: number): Promise<void> => {
    const [vendorId, variantId] = [await seedBenchVendor(sql), await seedVariant(sql)];
    await seedOffers({ patientSql: sql }, { vendorId, variantId, count, mix: { [status]: 100 } });
  };
const approvedOffers: Growth = {
  rows: 'approved offers',
  add: addOffers('Approved'),
  works: [
    waitingPage('offerReview', 'reviews'),
    waitingPage('agreementSwitch', 'agreement switches'),
    switchPreview,
    gauges,
  ],
};
const offersInReview: Growth = {
  rows: 'offers in review',
  add: addOffers('PendingReview'),
  works: [waitingPage('offerReview', 'reviews'), gauges],
};

const addReturns =
  (status: string) =>
  async (sql: Sql, count: number): Promise<void> => {
    const vendorId = await seedBenchVendor(sql);
    const order = await seedOrder(sql, vendorId, await seedVariant(sql));
    await sql`
      insert into return_requests (id, order_id, destination, vendor_id, status, requested_at,
        inspection_deadline, proposed_outcome, requires_staff_review, inspection_start_ms,
        inspection_window_ms, changed_at)
      select uuidv7(), ${order.id}, 'Supplier', ${vendorId}, ${status}, now(),
        now() - i * interval '1 minute', 'Rejected', true, 1000, 1000, now()
      from generate_series(1, ${count}) as i`;
  };
const closedReturns: Growth = {
  rows: 'closed returns',
  add: addReturns('Closed'),
  works: [waitingPage('returnInspection', 'open returns'), gauges],
};
const returnsForStaff: Growth = {
  rows: 'returns for staff',
  add: addReturns('UnderInspection'),
  works: [waitingPage('returnInspection', 'open returns'), gauges],
};

/** A page of the operators' orders with its total. */
const orderList = (name: string, filter: Partial<OrderFilter>): Work => ({
  name: `list orders ${name}`,
  run: (sql, totalMax = operatorTotalMax) =>
    listOrders(
      sql,
      { vendorId: null, status: null, from: null, to: null, ...filter },
      { page: 1, pageSize: 20, totalMax },
    ),
});
const placedOrders: Growth = {
  rows: 'orders',
  add: async (sql, count) => {
    const [vendorId, variantId] = [await seedBenchVendor(sql), await seedVariant(sql)];
    await seedGroups({ patientSql: sql }, { vendorId, variantId, count });
  },
  works: [
    orderList('of all', {}),
    orderList('in a status', { status: 'Delivered' }),
    orderList('from a date', { from: '2000-01-01T00:00:00Z' }),
    orderList('in a status, to a date', { status: 'Delivered', to: '2100-01-01T00:00:00Z' }),
  ],
};

export const growths: readonly Growth[] = [
  delivered,
  waitingDeliveries,
  commandMessages,
  deliveryMessages,
  firstAttempts,
  tokenCalls,
  keptKeys,
  pastChanges,
  keptCounts,
  endedJobs,
  approvedOffers,
  offersInReview,
  closedReturns,
  returnsForStaff,
  placedOrders,
];
