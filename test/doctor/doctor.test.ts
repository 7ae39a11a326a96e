import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Check } from '../../doctor/check.ts';
import { textsOf } from '../../console/texts/texts.ts';
import { checkIds, checks } from '../../doctor/checks.ts';
import { runCheck, type CheckResult } from '../../doctor/examine.ts';
import { reportOf } from '../../doctor/report.ts';
import type { Runs } from '../../temporal/runs/open-runs.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { contextOf, doctorTest as test, untilSound, type World } from './doctor-fixture.ts';
import type { Sql } from '../../db/core/client.ts';
import { leastId } from '../../db/checks/waiting-rows.ts';
import { compactCounters } from '../../db/lists/compact-counters.ts';
import { createSealer } from '../../security/sealer.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { newSecretsKey } from '../support/seeds/sealed-secrets.ts';
import { seedOffer, seedOperator } from '../support/seeds/seed.ts';

/** Each kind of damage is done to a sound record, named, and repaired where that is safe. */

/** Ends a run, until the list of open runs shows that too. */
const endRun = async ({ gateway }: World, workflowId: string): Promise<void> => {
  const { workflow } = gateway.client;
  await workflow.getHandle(workflowId).terminate('damage');
  const listed = `WorkflowId = '${workflowId}' and ExecutionStatus = 'Running'`;
  await vi.waitFor(async () => expect((await workflow.count(listed)).count).toBe(0), waiting);
};

type Damage = {
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
const missing = 'misses an attempt: 2 are stored, of the numbers 1 to 3';
const noneKept = 'the kept count is 0, and there are 1';

const runs = [
  ['review-without-run', 'offer', offerReviewId],
  ['return-without-run', 'request', returnInspectionId],
  ['delivery-without-run', 'delivery', webhookDeliveryId],
] as const;

/** What the doctor names, each done to a sound record. */
const damages: readonly Damage[] = [
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
  damage('supply-differs', 'approved', 'another price', async (sql, id) => {
    await sql`update supply_options set sell_net = sell_net - 1 where offer_id = ${id}`;
  }),
  damage('supply-differs', 'approved', 'another price', async (sql, id) => {
    await sql`update supply_options set payout_net = payout_net + 1 where offer_id = ${id}`;
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
  damage('audit-counts', 'vendorId', 'the kept count is', async (sql) => {
    const [{ id }] = await sql<[{ id: string }]>`
      insert into audit_counts (operator_id, delta)
      select operator_id, 3 from audit_log where operator_id is not null limit 1
      returning operator_id as id`;
    return id;
  }),
  damage('audit-counts', 'vendorId', 'the kept count is', async (sql) => {
    await sql`insert into audit_counts (operator_id, delta) values (${leastId}, -1)`;
    return leastId;
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

const checkOf = (id: string): Check =>
  checks.find((each) => each.id === id) ?? expect.unreachable();

const readOnly = { isRepairing: false, findingsMax: 20 };
const repairing = { isRepairing: true, findingsMax: 0 };
const look = ({ gateway }: World, id: string): Promise<CheckResult> =>
  runCheck(contextOf(gateway), checkOf(id), readOnly);

test('finds nothing in a sound record', { timeout: 60_000 }, async ({ world }) => {
  await untilSound(world.gateway);
});

test.for(damages)('names $check: $text', async ({ check, text, damage }, { world }) => {
  const { gateway } = world;
  const isRepairable = checkOf(check).repair !== null;
  const restore = await saveRecord(gateway.sql);
  try {
    const subjectId = await damage(world);
    const named = await look(world, check);

    expect(named).toMatchObject({ found: 1, isComplete: true, isRepairable, repaired: 0 });
    const [finding] = named.findings;
    expect(finding).toMatchObject({ subjectId, text: expect.stringContaining(text) });
    expect(textsOf('ar').codes.finding(finding?.text ?? '')).toMatch(/[\u0600-\u06ff]/);
    const report = reportOf(named, (id) => `https://temporal.test/${id}`).join('\n');
    expect(report).toContain(`[${check}]`);
    expect(report).toContain(subjectId);
    if (finding?.workflowId != null)
      expect(report).toContain(`https://temporal.test/${finding.workflowId}`);

    const repaired = await runCheck(contextOf(gateway), checkOf(check), repairing);
    expect(repaired).toMatchObject({ found: 1, error: null });
    const found = isRepairable && text !== missing ? 0 : 1;
    await vi.waitFor(
      async () => expect(await look(world, check)).toMatchObject({ found, error: null }),
      { ...waiting, interval: 200 },
    );
  } finally {
    await restore();
    for (const each of checks)
      expect((await runCheck(contextOf(gateway), each, repairing)).error).toBeNull();
  }
  await untilSound(world.gateway);
});

test('finds a run that differs while a lost worker holds its task', async ({ world }) => {
  const { gateway, offer } = world;
  const context = contextOf(gateway);
  const restore = await saveRecord(gateway.sql);
  let descriptions = 0;
  const describeOpen: Runs['describeOpen'] = async (kind, subjectIds) => {
    const described = await context.runs.describeOpen(kind, subjectIds);
    descriptions += 1;
    return descriptions === 1 ? described.map((run) => ({ ...run, isBusy: true })) : described;
  };
  try {
    await gateway.sql`update offers set awaiting_since = null where id = ${offer.id}`;
    const check = checkOf('review-run-differs');
    const lost = { ...context, runs: { ...context.runs, describeOpen }, taskMs: 0 };
    const { findings } = await runCheck(lost, check, readOnly);
    expect(findings).toMatchObject([{ subjectId: offer.id }]);
  } finally {
    await restore();
  }
  await untilSound(world.gateway);
});

const secrets = {
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  "a credential's secret": `vs_${'a'.repeat(43)}`,
  "an operator's secret": `os_${'a'.repeat(43)}`,
  'a token': `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ0ZXN0In0.${'x'.repeat(40)}`,
  'a private key': '-----BEGIN PRIVATE KEY-----',
  'a URL with a password': 'postgres://gateway:hunter2@db.example/gateway',
};

test('names a secret in a history by kind, run and event, never its value', async ({ world }) => {
  const { client, config } = world.gateway;
  const workflowId = `offer-review/${uuidv7()}`;
  const run = await client.workflow.start('offerReview', {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    workflowId,
    args: [{ offerId: uuidv7(), vendorId: world.vendorId, note: Object.values(secrets) }],
  });
  await run.result();
  await vi.waitFor(async () => {
    const result = await look(world, 'secret-in-history');
    const texts = result.findings.map(({ text }) => text);
    expect(texts).toEqual(Object.keys(secrets).map((name) => `has ${name} in event 1`));
    expect(result.findings.every((finding) => finding.workflowId === workflowId)).toBe(true);
    const report = reportOf(result, (id) => id).join('\n');
    for (const secret of Object.values(secrets)) expect(report).not.toContain(secret);
  }, waiting);
});

test('has a case of damage for each check', () => {
  // A worker repairs the second by itself: test/doctor/secret-checks.test.ts has it. The third is
  // no damage of the record: test/db/checks/old-snapshots.test.ts has it.
  const others = ['secret-in-history', 'secret-under-old-key', 'snapshot-old'];
  const named = new Set([...damages.map(({ check }) => check), ...others]);
  expect(checkIds.filter((id) => !named.has(id))).toEqual([]);
});
