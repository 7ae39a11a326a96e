import { restartTest, workflowTest } from '../gateway/workflow-test.ts';
import type { TestGateway } from '../gateway/gateway.ts';
import { createDeliveryFixture, type DeliveryFixture } from './delivery.ts';
import { startHookedWorker } from './hooked-worker.ts';
import { status, type TestReceiver } from './receiver.ts';

type Hooks = Parameters<typeof startHookedWorker>[1];
type Settings = Readonly<Record<string, string>>;

/** Each delivery has a run of its own, with three short retries. */
export const ownRuns: Settings = {
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
};

/** A vendor whose receiver answers 200 until the test says otherwise. */
function newFixture(gateway: TestGateway, receiver: TestReceiver): Promise<DeliveryFixture> {
  receiver.answerWith(status(200));
  return createDeliveryFixture(gateway, receiver);
}

/** `workflowTest` with a `fixture` of deliveries, and these settings. */
export const deliveryTest = (settings: Settings) =>
  workflowTest
    .extend('settings', { scope: 'file' }, settings)
    .extend('fixture', ({ gateway, receiver }) => newFixture(gateway, receiver));

/** The same whose workers each test starts and stops. */
export const deliveryRestartTest = (settings: Settings) =>
  restartTest
    .extend('settings', { scope: 'file' }, settings)
    .extend('fixture', ({ gateway, receiver }) => newFixture(gateway, receiver))
    .extend('startHookedWorker', ({ gateway }, { onCleanup }) => {
      let worker: Awaited<ReturnType<typeof startHookedWorker>> | undefined;
      onCleanup(() => worker?.stop());
      return async (hooksOf: Hooks): Promise<void> => {
        worker = await startHookedWorker(gateway, hooksOf);
      };
    });
