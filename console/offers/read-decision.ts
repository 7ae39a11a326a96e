import type {
  AuditEntry,
  Candidates,
  ListOf,
  Offer,
  OfferDetail,
  Variant,
  Vendor,
} from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
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
  const at = Math.max(1, Math.trunc(Number(value('at'))) || 1);
  const variantId = value('variant') || offer.product.variantId;
  const isInReview = offer.status === 'PendingMatch' || offer.status === 'PendingReview';
  const filter = filterOf(visit);
  const [vendor, variant, candidates, entries, queue] = await Promise.all([
    read<Vendor>(`/operator/v1/vendors/${offer.vendorId}`),
    variantId === null
      ? null
      : read<Variant>(`/operator/v1/variants/${encodeURIComponent(variantId)}`),
    isInReview ? readCandidates(visit, offer) : [],
    read<ListOf<AuditEntry>>('/operator/v1/audit', { subjectId: offer.id }),
    readQueue(visit, filter, { page: at, pageSize: 1 }),
  ]);
  const { totalCount: total } = queue.pagination;
  // The address of a page that was opened by itself has no position in the queue.
  const position = queue.items[0]?.id === offer.id ? { at, total } : null;
  const context = { ...filter, at: value('at') };
  return { offer, vendor, variant, candidates, entries: entries.items, position, context };
}
export type Decision = Awaited<ReturnType<typeof readDecision>>;
