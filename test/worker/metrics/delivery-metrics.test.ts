import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addDeliveryMetrics } from '../../../worker/metrics/delivery-metrics.ts';

test('each outcome counts from zero, so that an alert sees the first dead letter', async () => {
  const registry = new Registry();
  const onRecorded = addDeliveryMetrics(registry, () => null);
  const countsOf = async () => {
    const metric = await registry.getSingleMetric('vendor_gateway_delivery_attempts_total')?.get();
    return Object.fromEntries(
      (metric?.values ?? []).map(({ labels, value }) => [labels['outcome'], value]),
    );
  };
  const none = { succeeded: 0, retried: 0, deadLettered: 0, cancelled: 0, failed: 0 };
  expect(await countsOf()).toEqual(none);

  onRecorded({
    deliveryId: '01a22fce-16c8-75d4-9ffa-ec7da2c7f1c4',
    attemptNumber: 10,
    sentAt: null,
    succeeded: false,
    httpStatus: null,
    errorSummary: null,
    nextAttemptAt: '2026-12-01T00:00:00.000Z',
    state: 'deadLettered',
    isGone: false,
    at: '2026-12-01T00:00:00.000Z',
  });
  expect(await countsOf()).toEqual({ ...none, deadLettered: 1 });
});
