import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createDeliveryPipeline } from '../../deliveries/delivery-pipeline.ts';
import type { Sql } from '../../db/core/client.ts';
import { createSender } from '../../guardrail/send/send.ts';
import { createSealer } from '../../security/sealer.ts';
import { addDeliveries, noLimit } from '../db/webhooks/delivery-rows.ts';
import { databaseTest } from '../support/database/database-test.ts';
import { startTestReceiver } from '../support/webhooks/receiver.ts';
import { seedSubscription, seedVendor } from '../support/seeds/seed.ts';

const secretsKey = Buffer.alloc(32, 7).toString('base64');

/** What a worker makes deliveries with, over a receiver of the test's own. */
async function startTestPipeline(sql: Sql, hostConcurrencyMax: number) {
  const receiver = await startTestReceiver();
  const policy = { allowedPorts: [443], allowedOrigins: [receiver.origin] };
  const sender = createSender({ policy, timeoutMs: 5000 });
  const pipeline = createDeliveryPipeline({
    sql,
    sender,
    sealer: createSealer(secretsKey),
    userAgent: 'test',
    hostConcurrencyMax,
    subscriptionConcurrencyMax: hostConcurrencyMax,
    failureLimit: noLimit,
    keepsResponses: true,
  });
  /** A vendor's subscription at a URL, and a given number of deliveries on their way to it. */
  const seed = async (count: number, url = receiver.url) => {
    const vendorId = await seedVendor(sql);
    const { id: subscriptionId } = await seedSubscription(sql, vendorId, url, secretsKey);
    const subscriber = { vendorId, subscriptionId };
    return { ...subscriber, deliveryIds: await addDeliveries(sql, subscriber, count) };
  };
  const close = async (): Promise<void> => {
    await sender.close();
    await receiver.close();
  };
  return { sql, receiver, pipeline, seed, close };
}

/**
 * Gives a file a `testPipeline`; it sends at most `hostConcurrencyMax` requests to a host at once.
 */
export const pipelineTest = databaseTest
  .extend('hostConcurrencyMax', { scope: 'file' }, () => 10)
  .extend('testPipeline', { scope: 'file' }, async ({ sql, hostConcurrencyMax }, { onCleanup }) => {
    const testPipeline = await startTestPipeline(sql, hostConcurrencyMax);
    onCleanup(() => testPipeline.close());
    return testPipeline;
  });

/** The environment of a step. A failed step is an expected result here and is not logged. */
export const stepEnvironment = (): MockActivityEnvironment =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

/** Runs a step as a worker would. */
export const inStep = <T>(step: () => Promise<T>, environment = stepEnvironment()): Promise<T> =>
  environment.run(step);
