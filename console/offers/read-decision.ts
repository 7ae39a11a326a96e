import type { Candidates, ListOf, Offer, OfferDetail } from '../http/api-types.ts';
import type { Variant, VendorSummary } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import * as ui from '../html/ui.ts';
import { isInReview } from './offer-facts.ts';
import { filterOf, readQueue } from './queue.ts';

export const pathOf = ({ id }: { readonly id: string }): string => `/operator/v1/offers/${id}`;

/** Each has a key from 1 to 9. */
const candidatesMax = 9;

/** The variants that a text finds or, without one, those that the offer may be of. */
async function readCandidates({ read, value }: Visit, offer: Offer): Promise<Candidates['items']> {
  const q = value('q');
  if (q === '') {
    const { items } = await read<Candidates>(`${pathOf(offer)}/candidates`);
    return items.slice(0, candidatesMax);
  }
  const query = { q, pageSize: candidatesMax };
  const { items } = await read<ListOf<Variant>>('/operator/v1/variants', query);
  return items.map((variant) => ({ variant, matches: [] }));
}

/** The filter and the position of the queue, which each link and form of the page keeps. */
export const contextOf = (visit: Visit) => ({ ...filterOf(visit), at: visit.value('at') });

export async function readDecision(visit: Visit) {
  const { read, value } = visit;
  const offer = await read<OfferDetail>(pathOf(visit));
  const at = ui.numberOf(value('at'));
  const variantId = value('variant') || offer.product.variantId;
  const [variant, candidates, queue, summary] = await Promise.all([
    variantId === null || variantId === offer.variant?.id
      ? offer.variant
      : read<Variant>(`/operator/v1/variants/${encodeURIComponent(variantId)}`),
    isInReview(offer) ? readCandidates(visit, offer) : [],
    readQueue(visit, filterOf(visit), { page: at, pageSize: 1 }),
    read<VendorSummary>(`/operator/v1/vendors/${offer.vendorId}/summary`),
  ]);
  // The address of a page that was opened by itself has no position in the queue.
  const isInQueue = queue.items[0]?.id === offer.id;
  const position = isInQueue ? { at, total: queue.pagination.totalCount } : null;
  return { offer, variant, candidates, position, context: contextOf(visit), summary };
}
export type Decision = Awaited<ReturnType<typeof readDecision>>;
