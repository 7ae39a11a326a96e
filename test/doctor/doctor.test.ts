import { describe, expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';
import type { Check, CheckContext } from '../../doctor/check.ts';
import { checkIds, checks } from '../../doctor/checks.ts';
import { examine, isClean, runCheck, type CheckResult } from '../../doctor/examine.ts';
import { reportOf } from '../../doctor/report.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { createSealer } from '../../security/sealer.ts';
import { readHistories } from '../../temporal/histories.ts';
import { createRuns } from '../../temporal/open-runs.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import type { TestGateway } from '../support/gateway.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { saveRecord } from '../support/saved-record.ts';
import { newSecretsKey } from '../support/sealed-secrets.ts';
import { seedCommand, seedOffer, seedOperator, seedVariant } from '../support/seed.ts';
import { createDeliveryFixture, deliveriesOf, waiting } from '../support/webhooks/delivery.ts';
import { notForAWhile, status } from '../support/webhooks/receiver.ts';
import { workflowTest } from '../support/workflow-test.ts';

/** Each kind of damage is done to a sound record, named, and repaired where that is safe. */

/** A sound record with its runs. */
type World = {
  readonly gateway: TestGateway;
  readonly vendorId: string;
  /** In review. */
  readonly offer: Offer;
  /** With a supply option. */
  readonly approved: Offer;
  /** Under inspection. */
  readonly request: ReturnRequest;
  /** It has failed once, and waits for its second attempt. */
  readonly delivery: WebhookDelivery;
  readonly delivered: WebhookDelivery;
  readonly subscriptionId: string;
};

const test = workflowTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  }))
  .extend('world', { scope: 'file' }, async ({ gateway, receiver }): Promise<World> => {
    const { sql, decisions } = gateway;
    const deliveries = await createDeliveryFixture(gateway, receiver);
    const inspections = await createInspectionFixture(gateway);
    const { vendorId } = deliveries;
    const variantId = await seedVariant(sql);
    const offer = await seedOffer(sql, vendorId);
    const approved = await seedOffer(sql, vendorId, { variantId });
    const command = { action: 'approve', variantId: null, expectedVersion: null } as const;
    const { id, operatorId } = inspections.operator;
    const commandId = await seedCommand(sql, id, approved.id, command);
    const decided = await decisions.decideOffer(
      { offerId: approved.id, vendorId },
      { action: 'approve', commandId, operatorId },
    );
    expect(decided).toMatchObject({ ok: true });
    const [delivered] = await deliveriesOf(sql, vendorId);
    if (delivered === undefined) throw new Error('no delivery');
    await deliveries.settled(delivered);
    const request = await inspections.underInspection(3_600_000);
    receiver.answerWith(notForAWhile);
    const delivery = await deliveries.emit();
    await deliveries.untilWaiting(delivery);
    receiver.answerWith(status(200));
    const { id: subscriptionId } = deliveries.subscription;
    await inspections.untilSeen(request, 'UnderInspection');
    return { gateway, vendorId, offer, approved, request, delivery, delivered, subscriptionId };
  });

const contextOf = ({ sql, client, config }: TestGateway): CheckContext => {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  return {
    sql,
    runs: createRuns(client, { taskQueue }),
    histories: () => readHistories(client, { taskQueue, runsMax: 1000 }),
    retentionMs: config.WEBHOOK_RETENTION_MS,
    sealer: createSealer(config.SECRETS_KEY),
  };
};

const checkOf = (id: string): Check => {
  const check = checks.find((each) => each.id === id);
  if (check === undefined) throw new Error(`no check ${id}`);
  return check;
};

const readOnly = { isRepairing: false, findingsMax: 20 };
const repairing = { isRepairing: true, findingsMax: 0 };
const look = ({ gateway }: World, id: string): Promise<CheckResult> =>
  runCheck(contextOf(gateway), checkOf(id), readOnly);

const untilClean = (world: World, id: string): Promise<void> =>
  vi.waitFor(async () => expect(await look(world, id)).toMatchObject({ found: 0, error: null }), {
    ...waiting,
    interval: 200,
  });

const untilAllClean = (world: World): Promise<void> =>
  vi.waitFor(async () => {
    const faulty: CheckResult[] = [];
    for await (const result of examine(contextOf(world.gateway), checks, readOnly))
      if (!isClean(result)) faulty.push(result);
    expect(faulty).toEqual([]);
  }, waiting);

const replaceSealed = async (sql: Sql, id: string, sealed: Buffer): Promise<void> => {
  await sql`update webhook_subscriptions set secret_sealed = ${sealed} where id = ${id}`;
};

const endRun = async ({ gateway }: World, workflowId: string): Promise<void> => {
  await gateway.client.workflow.getHandle(workflowId).terminate('damage');
};

type Damage = {
  readonly check: string;
  /** Damages the record or the runs; answers the id of the subject, and a part of the text. */
  readonly damage: (world: World) => Promise<readonly [subjectId: string, text: string]>;
  /** No repair of the check mends it. */
  readonly isBeyondRepair?: true;
};

const damages: Readonly<Record<string, Damage>> = {
  'a review whose run is lost': {
    check: 'review-without-run',
    damage: async (world) => {
      await endRun(world, offerReviewId(world.offer.id));
      return [world.offer.id, 'has no open run'];
    },
  },
  'a return whose run is lost': {
    check: 'return-without-run',
    damage: async (world) => {
      await endRun(world, returnInspectionId(world.request.id));
      return [world.request.id, 'has no open run'];
    },
  },
  'a delivery whose run is lost': {
    check: 'delivery-without-run',
    damage: async (world) => {
      await endRun(world, webhookDeliveryId(world.delivery.id));
      return [world.delivery.id, 'has no open run'];
    },
  },
  'a delivery batch whose run is lost': {
    check: 'batch-without-run',
    damage: async ({ gateway: { sql }, delivered }) => {
      const batchId = uuidv7();
      await sql`
        insert into webhook_delivery_batches (id, delivery_ids)
        values (${batchId}, array[${delivered.id}::uuid])`;
      await sql`
        update webhook_deliveries set state = 'waiting', batch_id = ${batchId}
        where id = ${delivered.id}`;
      return [batchId, 'has no open run'];
    },
  },
  'an agreement switch whose run is lost': {
    check: 'switch-without-run',
    damage: async ({ gateway: { sql }, vendorId }) => {
      await sql`
        update supply_options set rate_basis_points = 1 where vendor_id = ${vendorId}`;
      return [vendorId, 'has no open run'];
    },
  },
  'a bulk job whose run is lost': {
    check: 'job-without-run',
    damage: async ({ gateway: { sql }, vendorId }) => {
      const id = uuidv7();
      await sql`
        insert into bulk_jobs (id, vendor_id, kind, state, item_count)
        values (${id}, ${vendorId}, 'pushCosts', 'Running', 0)`;
      return [id, 'has no open run'];
    },
  },
  'a review job whose run is lost': {
    check: 'review-job-without-run',
    damage: async ({ gateway: { sql } }) => {
      const id = uuidv7();
      await sql`
        insert into review_jobs (id, operator_id, action, request_id, state, item_count)
        values (${id}, ${(await seedOperator(sql)).id}, 'apply', 'request', 'Running', 0)`;
      return [id, 'has no open run'];
    },
  },
  'a review whose offer is not under review': {
    check: 'review-run-differs',
    damage: async ({ gateway: { sql }, offer }) => {
      await sql`update offers set awaiting_since = null where id = ${offer.id}`;
      return [offer.id, 'it waits for nothing'];
    },
  },
  'a review whose offer the record does not have': {
    check: 'review-run-differs',
    damage: async ({ gateway: { client, sql }, vendorId }) => {
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
  },
  'a return whose run has read a later version': {
    check: 'return-run-differs',
    damage: async ({ gateway: { sql }, request }) => {
      await sql`update return_requests set version = 1 where id = ${request.id}`;
      return [request.id, 'has version 1, and its run has read version'];
    },
  },
  'a delivery run without its delivery': {
    check: 'delivery-run-differs',
    damage: async ({ gateway: { sql }, delivery }) => {
      await sql`update webhook_deliveries set state = 'cancelled' where id = ${delivery.id}`;
      return [delivery.id, 'is cancelled'];
    },
  },
  'a delivery that is overdue while its run does nothing': {
    check: 'delivery-run-differs',
    damage: async ({ gateway: { sql }, delivery }) => {
      await sql`
        update webhook_attempts set next_attempt_at = now() - interval '1 hour'
        where delivery_id = ${delivery.id}`;
      return [delivery.id, 'has been overdue since'];
    },
  },
  'an event without deliveries': {
    check: 'event-without-delivery',
    damage: async ({ gateway: { sql }, delivered }) => {
      await sql`delete from webhook_deliveries where id = ${delivered.id}`;
      return [delivered.eventId, 'has 0 of 1 deliveries'];
    },
  },
  'an event that is missing': {
    check: 'event-gap',
    damage: async ({ gateway: { sql }, vendorId }) => {
      await sql`
        update event_sequences set latest = latest + 1 where vendor_id = ${vendorId}`;
      return [vendorId, 'events of the numbers 1 to'];
    },
  },
  'an attempt without an end': {
    check: 'attempt-without-end',
    damage: async ({ gateway: { sql }, delivered }) => {
      const [attempt] = await sql<[{ id: string }]>`
        update webhook_attempts set succeeded = null where delivery_id = ${delivered.id}
        returning id`;
      return [attempt.id, `of delivery ${delivered.id} has no result`];
    },
  },
  'a delivery that counts too few attempts': {
    check: 'attempt-numbers',
    damage: async ({ gateway: { sql }, delivered }) => {
      await sql`update webhook_deliveries set attempts = 0 where id = ${delivered.id}`;
      return [delivered.id, 'counts 0 attempts, and the latest stored one has number 1'];
    },
  },
  'a delivery that misses an attempt': {
    check: 'attempt-numbers',
    damage: async ({ gateway: { sql }, delivery: { id } }) => {
      await sql`
        insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
          event_id, succeeded, next_attempt_at)
        select uuidv7(), delivery_id, subscription_id, 3, event_type, event_id, false,
          next_attempt_at
        from webhook_attempts where delivery_id = ${id}`;
      await sql`update webhook_deliveries set attempts = 3 where id = ${id}`;
      return [id, 'misses an attempt: 2 are stored, of the numbers 1 to 3'];
    },
    isBeyondRepair: true,
  },
  'an approved offer without a supply option': {
    check: 'supply-differs',
    damage: async ({ gateway: { sql }, approved }) => {
      await sql`delete from supply_options where offer_id = ${approved.id}`;
      return [approved.id, 'is Approved and has no supply option'];
    },
  },
  'a supply option with another stock': {
    check: 'supply-differs',
    damage: async ({ gateway: { sql }, approved }) => {
      await sql`update supply_options set stock_quantity = 99 where offer_id = ${approved.id}`;
      return [approved.id, 'another stock'];
    },
  },
  'a supply option with another price': {
    check: 'supply-differs',
    damage: async ({ gateway: { sql }, approved }) => {
      await sql`update supply_options set net = net + 1 where offer_id = ${approved.id}`;
      return [approved.id, 'another price'];
    },
  },
  'an offer whose history says another status': {
    check: 'offer-history',
    damage: async ({ gateway: { sql }, approved: { id } }) => {
      await sql`
        insert into offer_status_changes (offer_id, from_status, to_status, at)
        values (${id}, 'Approved', 'Suspended', now())`;
      return [id, 'is Approved, and its latest status change is to Suspended'];
    },
  },
  'a return without a history': {
    check: 'return-history',
    damage: async ({ gateway: { sql }, request: { id } }) => {
      await sql`delete from return_status_changes where return_id = ${id}`;
      return [id, 'its latest status change is to nothing'];
    },
  },
  'a wrong count of offers': {
    check: 'offer-counts',
    damage: async ({ gateway: { sql }, vendorId }) => {
      await sql`
        insert into offer_counts (vendor_id, status, is_awaiting, delta)
        values (${vendorId}, 'Approved', false, 5)`;
      return [vendorId, 'the kept count is 6, and there are 1'];
    },
  },
  'a wrong count of returns': {
    check: 'list-counts',
    damage: async ({ gateway: { sql }, request }) => {
      await sql`delete from list_counts where list = 'returns' and span = 'hour'`;
      return [request.vendorId ?? '', 'the kept count is 0, and there are 1'];
    },
  },
  'a wrong count of attempts': {
    check: 'attempt-counts',
    damage: async ({ gateway: { sql }, subscriptionId }) => {
      await sql`
        insert into attempt_counts (subscription_id, delta) values (${subscriptionId}, -2)`;
      return [subscriptionId, 'the kept count is'];
    },
  },
  'a wrong count of deliveries': {
    check: 'delivery-counts',
    damage: async ({ gateway: { sql }, vendorId }) => {
      await sql`delete from delivery_counts where vendor_id = ${vendorId}`;
      return [vendorId, 'the kept count is 0, and there are 1'];
    },
  },
  'a sequence that is behind': {
    check: 'sequence-behind',
    damage: async ({ gateway: { sql } }) => {
      const name = 'public.offer_status_changes_id_seq';
      await sql`select setval(${name}::regclass, 1)`;
      return [name, 'is at 1, and the highest number is'];
    },
  },
  'a message that is not handed over': {
    check: 'message-stuck',
    damage: async ({ gateway: { sql } }) => {
      // Of a later version, so that no relay of this one takes it.
      const [{ id }] = await sql<[{ id: string }]>`
        insert into outbox (kind, subject_id, payload, created_at, attempts, due_at)
        values ('offerReview', ${uuidv7()}, '{}', now() - interval '6 minutes', 3,
          now() + interval '1 minute')
        returning id`;
      return [id, 'after 3 attempts'];
    },
  },
  'a webhook secret whose key is missing': {
    check: 'secret-without-key',
    damage: async ({ gateway: { sql }, subscriptionId: id }) => {
      const sealer = createSealer(newSecretsKey());
      await replaceSealed(sql, id, sealer.seal('whsec_AAAA', id));
      return [id, `has a secret under the key ${sealer.keyIds[0]}: add that key to SECRETS_KEY`];
    },
  },
  'a message set aside': {
    check: 'message-set-aside',
    damage: async ({ gateway: { sql } }) => {
      await sql`
        insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
          reason)
        values (7, 'new', ${uuidv7()}, '{}', false, now(), 'unknown')`;
      return ['7', 'was set aside'];
    },
  },
};

test('finds nothing in a sound record', { timeout: 60_000 }, async ({ world }) => {
  await untilAllClean(world);
});

describe('the doctor names', () => {
  test.for(Object.entries(damages))(
    '%s',
    { timeout: 120_000 },
    async ([, { check, damage, isBeyondRepair }], { world }) => {
      const { gateway } = world;
      const isRepairable = checkOf(check).repair !== null;
      const restore = await saveRecord(gateway.sql);
      try {
        const [subjectId, text] = await damage(world);

        const named = await look(world, check);

        expect(named).toMatchObject({ found: 1, isComplete: true, isRepairable, repaired: 0 });
        const [finding] = named.findings;
        expect(finding).toMatchObject({ subjectId, text: expect.stringContaining(text) });
        const report = reportOf(named, (id) => `https://temporal.test/${id}`).join('\n');
        expect(report).toContain(`[${check}]`);
        expect(report).toContain(subjectId);
        if (finding?.workflowId != null)
          expect(report).toContain(`https://temporal.test/${finding.workflowId}`);

        const repaired = await runCheck(contextOf(gateway), checkOf(check), repairing);
        expect(repaired).toMatchObject({ found: 1, error: null });
        if (isRepairable && isBeyondRepair !== true) await untilClean(world, check);
        else expect(await look(world, check)).toMatchObject({ found: 1 });
      } finally {
        await restore();
        for await (const result of examine(contextOf(gateway), checks, repairing))
          expect(result.error).toBeNull();
      }
      await untilAllClean(world);
    },
  );
});

describe('a secret in a history', () => {
  const secrets = {
    'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    "a credential's secret": `vs_${'a'.repeat(43)}`,
    "an operator's secret": `os_${'a'.repeat(43)}`,
    'a token': `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ0ZXN0In0.${'x'.repeat(40)}`,
    'a private key': '-----BEGIN PRIVATE KEY-----',
    'a URL with a password': 'postgres://gateway:hunter2@db.example/gateway',
  };

  test('is named by its kind, its run and its event, and not repeated', async ({ world }) => {
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
});

test('each check has a damage that it names', () => {
  // A worker repairs the second by itself: test/doctor/secret-checks.test.ts has it.
  const others = ['secret-in-history', 'secret-under-old-key'];
  const named = new Set([...Object.values(damages).map(({ check }) => check), ...others]);
  expect(checkIds.filter((id) => !named.has(id))).toEqual([]);
});
