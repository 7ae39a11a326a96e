import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { listAttempts } from '../../../db/webhooks/attempts/attempt-list.ts';
import { listDeliveries } from '../../../db/webhooks/webhook-deliveries.ts';
import { anyDelivery } from '../../support/webhooks/any-delivery.ts';
import { wrongCounts } from '../../support/webhooks/old-deliveries.ts';
import { countOf } from '../support.ts';

/**
 * Compares every kept count, and the totals of the lists, with the rows that there are, while no
 * statement is under way.
 */
export async function expectCountsToBeTrue(sql: Sql): Promise<void> {
  expect([...(await wrongCounts(sql))]).toEqual([]);
  const request = { page: 1, pageSize: 1 };
  const { totalCount } = await listDeliveries(sql, anyDelivery, request);
  expect(totalCount).toBe(await countOf(sql, 'webhook_deliveries'));
  const each = await sql<{ id: string; count: number }[]>`
    select subscription_id as id, count(*)::int from webhook_attempts group by subscription_id
    order by random() limit 3`;
  for (const { id, count } of each)
    expect((await listAttempts(sql, id, request)).totalCount).toBe(count);
}
