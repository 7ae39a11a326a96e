import { expect } from 'vitest';
import {
  createMaintenanceActivities,
  type MaintenanceDependencies,
} from '../../activities/maintenance.ts';
import { newSubscriber } from '../db/webhooks/delivery-rows.ts';
import { databaseTest as test } from '../support/database/database-test.ts';
import { memoryLog } from '../support/gateway/leaks.ts';
import { ago, dayMs, seedOldDelivery } from '../support/webhooks/old-deliveries.ts';
import { inStep } from './deliveries/delivery-pipeline-fixture.ts';

test('logs how much the retention deleted, and from before when', async ({ sql }) => {
  const subscriber = await newSubscriber(sql);
  await seedOldDelivery(sql, { ...subscriber, at: ago(31 * dayMs), state: 'succeeded' });
  const { log, lines } = memoryLog();
  const runs = {} as MaintenanceDependencies['runs'];
  const limits = { retentionMs: 30 * dayMs, jobRetentionMs: dayMs };
  await inStep(createMaintenanceActivities({ sql, runs, log, ...limits }).pruneWebhookHistory);
  // `docs/operating/repairs.md` quotes the line.
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      msg: 'deleted the webhook history past its retention',
      deliveries: 1,
      events: 1,
      before: expect.stringMatching(/^\d{4}-/),
    },
  ]);
});
