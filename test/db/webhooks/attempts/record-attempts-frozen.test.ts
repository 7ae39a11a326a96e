import { expect, vi } from 'vitest';
import { recordAttempts } from '../../../../db/webhooks/attempts/record-attempts.ts';
import { freshDatabaseTest as test } from '../../../support/database/database-test.ts';
import { createTestLane } from '../../../support/webhooks/test-lane.ts';
import * as rows from '../delivery-rows.ts';
import { pool } from '../../support.ts';

test(
  'delays other results for seconds only when a worker freezes while it stores a dead letter',
  { timeout: 60_000 },
  async ({ sql, database }) => {
    const [subscriber, other] = [await rows.newSubscriber(sql), await rows.newSubscriber(sql)];
    const begun = await rows.mustBegin(sql, await rows.addDelivery(sql, subscriber));
    await sql`delete from outbox`;
    const connection = await pool(database.url, 1).reserve();
    await connection`begin`;
    // The transaction of a dead letter has more statements after this one.
    const failed = rows.resultOf(begun, { at: new Date().toISOString() });
    await recordAttempts(connection, [failed], rows.noLimit);
    const { lane } = createTestLane(sql);
    await rows.addDeliveries(sql, subscriber, 10);
    await rows.addDelivery(sql, other);
    await lane.round();
    await vi.waitFor(
      async () =>
        expect(await sql`select from webhook_deliveries where state = 'succeeded'`).toHaveLength(
          11,
        ),
      { timeout: 12_000, interval: 50 },
    );
    await lane.stop();
  },
);
