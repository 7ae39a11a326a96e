import { expect } from 'vitest';
import {
  createMaintenanceActivities,
  type MaintenanceDependencies,
} from '../../activities/maintenance.ts';
import { prunedJobsMax } from '../../db/jobs/job-results.ts';
import { pruneBatchSize } from '../../db/webhooks/retention.ts';
import { newSubscriber } from '../db/webhooks/delivery-rows.ts';
import { databaseTest as test } from '../support/database/database-test.ts';
import { seedOperator } from '../support/seeds/seed.ts';
import { memoryLog } from '../support/memory-log.ts';
import { dayMs, seedManyDeliveries } from '../support/webhooks/old-deliveries.ts';
import { inStep } from '../deliveries/delivery-pipeline-fixture.ts';

test('deletes all that is past its retention, and logs how much', async ({ sql }) => {
  const subscriber = await newSubscriber(sql);
  const many = { count: pruneBatchSize + 1, days: 31, state: 'succeeded' } as const;
  await seedManyDeliveries(sql, subscriber, many);
  await sql`
    insert into bulk_jobs (id, vendor_id, kind, state, item_count, ended_at)
    select uuidv7(), ${subscriber.vendorId}, 'pushCosts', 'Cancelled', 1, now() - interval '2 days'
    from generate_series(1, ${prunedJobsMax + 1}::int)`;
  const { id: operatorId } = await seedOperator(sql);
  await sql`
    insert into review_jobs (id, operator_id, action, request_id, state, item_count, ended_at)
    values (uuidv7(), ${operatorId}, 'apply', 'r', 'Cancelled', 1, now() - interval '2 days')`;
  const { log, lines } = memoryLog();
  const runs = {} as MaintenanceDependencies['runs'];
  const limits = { retentionMs: 30 * dayMs, jobRetentionMs: dayMs };
  await inStep(createMaintenanceActivities({ sql, runs, log, ...limits }).pruneWebhookHistory);
  // `docs/operating/repairs.md` quotes the line.
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      msg: 'deleted the webhook history past its retention',
      deliveries: many.count,
      events: many.count,
      deliveryBatches: many.count,
      before: expect.stringMatching(/^\d{4}-/),
    },
    { jobs: prunedJobsMax + 2 },
  ]);
});
