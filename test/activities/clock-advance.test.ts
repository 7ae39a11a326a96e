import { expect } from 'vitest';
import { createClockActivities } from '../../activities/clock-advance.ts';
import { createInspectionActivities } from '../../activities/return-inspection.ts';
import { connect } from '../../db/core/client.ts';
import { databaseTest as test } from '../support/database/database-test.ts';
import { moveReturnTo, seedReturn } from '../support/returns/seed-returns.ts';
import { seedVariant, seedVendor } from '../support/seeds/seed.ts';
import { inStep } from './deliveries/delivery-pipeline-fixture.ts';
import { advance, hourMs, times } from '../workflows/clock-advance/clock-fixture.ts';

// With two, as many advances at a time as the pool has connections would stop the worker.
test('a stop of an advance takes one connection at a time', async ({ database: { url }, sql }) => {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const request = await seedReturn(sql, { vendorId, variantId, times });
  await moveReturnTo(sql, request, 'Received');
  await advance(sql, vendorId, 25 * hourMs);
  // No relay runs here.
  await sql`delete from outbox`;
  const narrow = connect(url, { max: 1, name: 'one connection' });
  try {
    const { applyDueTransition } = createInspectionActivities({ sql });
    const { advanceClock } = createClockActivities({
      sql: narrow,
      runs: {
        refresh: async (_, returnIds) => {
          for (const returnId of returnIds) await applyDueTransition({ returnId });
        },
      },
    });
    const step = await inStep(() => advanceClock({ vendorId }));
    expect(step).toEqual({ line: expect.stringContaining('started') as string, isEnded: false });
  } finally {
    await narrow.end({ timeout: 1 });
  }
});
