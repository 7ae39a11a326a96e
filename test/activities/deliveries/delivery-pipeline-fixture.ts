import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { receiverOf } from '../../../activities/deliveries/acquire-attempt.ts';
import {
  createDeliveryPipeline,
  type DeliveryPipeline,
} from '../../../activities/deliveries/delivery-pipeline.ts';
import type { HostSlots } from '../../../activities/deliveries/host-slots.ts';
import { connect, type Sql } from '../../../db/core/client.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { createSender } from '../../../guardrail/send/send.ts';
import { createSealer } from '../../../security/sealer.ts';
import { createTestDatabase } from '../../support/database/database.ts';
import { startTestReceiver, type TestReceiver } from '../../support/webhooks/receiver.ts';
import { seedSubscription, seedVendor } from '../../support/seeds/seed.ts';

/** What a worker makes deliveries with, over a database and a receiver of the test's own. */
export type TestPipeline = {
  readonly sql: Sql;
  readonly receiver: TestReceiver;
  readonly pipeline: DeliveryPipeline;
  /** A vendor's subscription at a URL, and so many deliveries on their way to it. */
  readonly seed: (count: number, url?: string) => Promise<Seeded>;
  readonly close: () => Promise<void>;
};
type Seeded = {
  readonly vendorId: string;
  readonly subscriptionId: string;
  readonly secret: string;
  readonly deliveryIds: readonly string[];
};

const secretsKey = Buffer.alloc(32, 7).toString('base64');
const eventType = 'vendor.offer.review-decision';

async function startTestPipeline(hostConcurrencyMax: number): Promise<TestPipeline> {
  const [database, receiver] = await Promise.all([createTestDatabase(), startTestReceiver()]);
  const sql = connect(database.url, { max: 6, name: 'test' });
  const policy = { allowedPorts: [443], allowedOrigins: [receiver.origin] };
  const sender = createSender({ policy, timeoutMs: 5000 });
  const pipeline = createDeliveryPipeline({
    sql,
    sender,
    sealer: createSealer(secretsKey),
    userAgent: 'test',
    hostConcurrencyMax,
    subscriptionConcurrencyMax: hostConcurrencyMax,
    failureLimit: { failingMs: 1e12, deadLetters: 1e6 },
    keepsAnswers: true,
  });
  const seed = async (count: number, url = receiver.url): Promise<Seeded> => {
    const vendorId = await seedVendor(sql);
    const { id: subscriptionId, secret } = await seedSubscription(sql, vendorId, url, secretsKey);
    for (let made = 0; made < count; made += 1)
      await emitEvents(sql, newEvent({ eventType, vendorId, occurredAt: new Date(), data: {} }));
    const rows = await sql<{ id: string }[]>`
      select id from webhook_deliveries where subscription_id = ${subscriptionId} order by id`;
    return { vendorId, subscriptionId, secret, deliveryIds: rows.map(({ id }) => id) };
  };
  const close = async (): Promise<void> => {
    await sender.close();
    await receiver.close();
    await sql.end({ timeout: 5 });
    await database.drop();
  };
  return { sql, receiver, pipeline, seed, close };
}

/**
 * Gives a file a `testPipeline`; it sends at most `hostConcurrencyMax` requests to a host at once.
 */
export const pipelineTest = test
  .extend('hostConcurrencyMax', { scope: 'file' }, () => 10)
  .extend('testPipeline', { scope: 'file' }, async ({ hostConcurrencyMax }, { onCleanup }) => {
    const testPipeline = await startTestPipeline(hostConcurrencyMax);
    onCleanup(() => testPipeline.close());
    return testPipeline;
  });

/** Takes all slots of a vendor at a URL's host; returns what gives them back. */
export function fillHost(
  { slots }: DeliveryPipeline,
  to: Parameters<typeof receiverOf>[0],
  count: number,
): () => void {
  const taken = Array.from({ length: count }, () => slots.tryTake(receiverOf(to)));
  expect(taken.every((release) => release !== null)).toBe(true);
  return () => {
    for (const release of taken) release?.();
  };
}

/** The same pipeline, and how many have asked to wait for a slot of it. */
export function watched(pipeline: DeliveryPipeline): {
  readonly pipeline: DeliveryPipeline;
  readonly asked: () => number;
} {
  let asked = 0;
  const take: HostSlots['take'] = (host, options) => {
    asked += 1;
    return pipeline.slots.take(host, options);
  };
  return { pipeline: { ...pipeline, slots: { ...pipeline.slots, take } }, asked: () => asked };
}

/** The environment of a step. A failed step is an expected result here and is not logged. */
export const stepEnvironment = (): MockActivityEnvironment =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

/** Runs a step as a worker would. */
export const inStep = <T>(step: () => Promise<T>, environment = stepEnvironment()): Promise<T> =>
  environment.run(step);
