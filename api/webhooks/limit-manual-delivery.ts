import { countCall } from '../../db/accounts/token-calls.ts';
import type { Queryable } from '../../db/core/client.ts';
import { sha256 } from '../../security/secrets.ts';
import type { Dependencies } from '../dependencies.ts';
import { tooManyRequests } from '../http/api-error.ts';

/**
 * Counts a vendor's test-fire or redelivery for a subscription, exactly across processes. Throws
 * TOO_MANY_REQUESTS. Call it in the transaction that stores the delivery, after the subscription is
 * found: a call that is refused for another reason rolls the count back.
 */
export async function limitManualDelivery(
  sql: Queryable,
  { manualDeliveriesPerMinute: max }: Pick<Dependencies, 'manualDeliveriesPerMinute'>,
  kind: 'test-fire' | 'redelivery',
  subscriptionId: string,
): Promise<void> {
  if (max === 0) return;
  const resetSeconds = await countCall(sql, sha256(`${kind}:${subscriptionId}`), max);
  if (resetSeconds === null) return;
  const name = kind === 'test-fire' ? 'SAMPLES' : 'REDELIVERIES';
  throw tooManyRequests(name, { limit: max, resetSeconds });
}
