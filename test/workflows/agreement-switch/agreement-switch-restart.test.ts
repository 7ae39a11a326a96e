import { expect } from 'vitest';
import { agreementRestartTest as test, model2 } from './agreement-switch-fixture.ts';

test('takes effect without a worker', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 600, draft: 50 });
  await vendor.changeAgreement(model2);
  await vendor.changeAgreement({ ...model2, rateBasisPoints: 1000 });
  await vendor.expectSwitchedReads(offers);

  await gateway.startWorker();
  await vendor.untilSettled();

  expect(await vendor.progress()).toEqual({ offers: 650, supplyOptions: 0 });
  await vendor.expectAllSwitched(offers, model2);
});

test('continues with another worker', async ({ gateway, vendor }) => {
  const first = await gateway.startWorker();
  const counts = { approved: 1300, draft: 100, suspended: 100 };
  const { offers, release } = await vendor.switchHeldUp(counts, 700);

  const stopping = first.stop();
  await release();
  await stopping;
  // The worker finishes its current batch and starts no other.
  expect(await vendor.followers()).toBe(1000);
  expect(await vendor.isSettled()).toBe(false);
  await vendor.expectSwitchedReads(offers);
  await gateway.startWorker();

  expect(await vendor.progress()).toEqual({ offers: 1500, supplyOptions: 0 });
  await vendor.expectAllSwitched(offers, model2);
  await vendor.record('interrupted');
});

test('continues a long history as a new run', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 700 });
  await vendor.sendMessage();
  const runId = await vendor.runId();
  // The server suggests a new history from 4 MB on.
  for (let count = 0; count < 9; count += 1)
    await vendor.run().signal('changed', 'x'.repeat(500_000));
  await vendor.changeAgreement(model2);
  await gateway.startWorker();
  await vendor.untilSettled();

  const firstRun = gateway.client.workflow.getHandle(vendor.workflowId, runId);
  expect(await firstRun.result()).toEqual({ offers: 700, supplyOptions: 0 });
  expect((await firstRun.describe()).status.name).toBe('CONTINUED_AS_NEW');
  expect(await vendor.progress()).toEqual({ offers: 700, supplyOptions: 0 });
  await vendor.expectAllSwitched(offers, model2);
});
