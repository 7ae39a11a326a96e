import type { Sql } from '../../../db/core/client.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { reviewVersionOf } from '../../../domain/offers/offer.ts';

const needsVersion =
  /^\/operator\/v1\/offers\/([^/]+)\/(?:approve|return-to-review|undo|pending-price\/apply)$/;

/**
 * The body of a reviewer's decision. One that requires an `expectedVersion` and has none gets the
 * offer's present `reviewVersion` (D83), as a reviewer reads it just before.
 */
export async function bodyOfDecision(sql: Sql, url: string, body?: unknown): Promise<unknown> {
  const [, id] = needsVersion.exec(url) ?? [];
  const isIncomplete =
    body === undefined ||
    (typeof body === 'object' && body !== null && !('expectedVersion' in body));
  if (id === undefined || !isIncomplete) return body;
  const offer = await findAnyOffer(sql, id);
  return offer === null ? body : { ...body, expectedVersion: reviewVersionOf(offer) };
}
