import type {
  Candidates,
  ListOf,
  Offer,
  OfferDetail,
  Variant,
  VendorSummary,
} from '../http/api-types.ts';
import { numberOf, type Visit } from '../http/visit.ts';
import { isInReview } from './offer-facts.ts';
import { filterOf, readQueue } from './queue.ts';

export const pathOf = (id: string): string => `/operator/v1/offers/${encodeURIComponent(id)}`;

/** Each has a key from 1 to 9. */
const candidatesMax = 9;

/** The variants that a text finds or, without one, those that the offer may be of. */
async function readCandidates({ read, value }: Visit, offer: Offer): Promise<Candidates['items']> {
  const q = value('q');
  if (q === '') {
    const { items } = await read<Candidates>(`${pathOf(offer.id)}/candidates`);
    return items.slice(0, candidatesMax);
  }
  const query = { q, pageSize: candidatesMax };
  const { items } = await read<ListOf<Variant>>('/operator/v1/variants', query);
  return items.map((variant) => ({ variant, matches: [] }));
}

/** Everything that the page of an offer shows. */
export async function readDecision(visit: Visit) {
  const { read, value } = visit;
  const offer = await read<OfferDetail>(pathOf(value('id')));
  const at = numberOf(value('at'));
  const variantId = value('variant') || offer.product.variantId;
  const filter = filterOf(visit);
  const [variant, candidates, queue, summary] = await Promise.all([
    variantId === null || variantId === offer.variant?.id
      ? offer.variant
      : read<Variant>(`/operator/v1/variants/${encodeURIComponent(variantId)}`),
    isInReview(offer) ? readCandidates(visit, offer) : [],
    readQueue(visit, filter, { page: at, pageSize: 1 }),
    read<VendorSummary>(`/operator/v1/vendors/${encodeURIComponent(offer.vendorId)}/summary`),
  ]);
  const { totalCount: total } = queue.pagination;
  // The address of a page that was opened by itself has no position in the queue.
  const position = queue.items[0]?.id === offer.id ? { at, total } : null;
  const context = { ...filter, at: value('at') };
  return { offer, variant, candidates, position, context, summary };
}
export type Decision = Awaited<ReturnType<typeof readDecision>>;
