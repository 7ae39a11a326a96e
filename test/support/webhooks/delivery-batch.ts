import type { Queryable } from '../../../db/core/client.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';

/** Makes one batch of waiting deliveries without a lease; returns how many messages it replaced. */
export async function createDeliveryBatch(
  sql: Queryable,
  { batchId, max }: { readonly batchId: string; readonly max: number },
): Promise<number> {
  const claim = { batchId, claimedMax: max, begunMax: 0, leaseMs: 0 };
  return (await claimFirstAttempts(sql, claim)).messages;
}
