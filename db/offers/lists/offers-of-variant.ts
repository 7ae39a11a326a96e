import type { Offer } from '../../../domain/offers/offer.ts';
import type { Queryable } from '../../core/client.ts';
import type { Page, PageRequest } from '../../lists/page.ts';
import { newestFirst, readOfferPage } from './offer-page.ts';

/** The offers of every vendor that are matched to a variant, newest first. */
export async function listOffersOfVariant(
  sql: Queryable,
  variantId: string,
  request: PageRequest,
): Promise<Page<Offer>> {
  const page = await readOfferPage(sql, null, request, (_, parts) => ({
    conditions: parts`and offers.variant_id = ${variantId}`,
    order: newestFirst(parts),
    keptTotal: null,
  }));
  return { ...page, items: page.items.map(({ offer }) => offer) };
}
