import type { Queryable } from '../../db/core/client.ts';
import {
  findSubscription,
  lockSubscription,
  type WebhookSubscription,
} from '../../db/webhooks/webhook-subscriptions.ts';
import { apiError } from '../http/api-error.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { pathId } from '../validation/path-id.ts';

const notFound = 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION';

/** A path's id of a subscription; what is no uuid names none (D6). */
export const subscriptionIdOf = (rawId: string): string => pathId(rawId, notFound);

/** Answers that there is no such subscription, unless there is. */
export function requireSubscription(isThere: boolean): asserts isThere {
  if (!isThere) throw apiError(notFound);
}

/** The caller's own subscription. */
export async function ownSubscription(
  sql: Queryable,
  { vendorId }: VendorCaller,
  rawId: string,
): Promise<WebhookSubscription> {
  const found = await findSubscription(sql, vendorId, subscriptionIdOf(rawId));
  requireSubscription(found !== null);
  return found;
}

/** The same, locked until the transaction ends. */
export async function lockOwnSubscription(
  sql: Queryable,
  { vendorId }: VendorCaller,
  rawId: string,
): Promise<WebhookSubscription> {
  const found = await lockSubscription(sql, subscriptionIdOf(rawId), vendorId);
  requireSubscription(found !== null);
  return found;
}
