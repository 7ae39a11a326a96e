import { apiPath, ui, type api, type Visit, type ApiPath } from '../page.ts';
import { isInReview } from './offer-parts.ts';
import { contextOf, filterOf, readQueue, wordsOrBarcode } from './queue.ts';

export const pathOf = (id: string): ApiPath => apiPath`/operator/v1/offers/${id}`;

/** Candidates and recent reasons have the keys from 1 to 9. */
export const keysMax = 9;

/** The variants that a text or a barcode finds or, without one, those that the offer may be of. */
async function readCandidates(visit: Visit): Promise<api.ListOf<Candidate>> {
  const { value, digits, id } = visit;
  const q = value('q');
  const page = { page: ui.numberOf(digits('found')), pageSize: keysMax };
  if (q === '') return ui.readPage<Candidate>(visit, apiPath`${pathOf(id)}/candidates`, page);
  const query = { ...wordsOrBarcode(q), ...page };
  const list = apiPath`/operator/v1/variants`;
  const reading = ui.readPage<api.Variant>(visit, list, query);
  const found = await ui.orRefused(visit, reading, ui.emptyList);
  return { ...found, items: found.items.map((variant) => ({ variant, matches: [] })) };
}
type Candidate = api.Candidates['items'][number];

/** An offer with all that a decision on it takes. */
export async function readDecision(visit: Visit) {
  const { read, value, digits } = visit;
  const offer = await read<api.OfferDetail>(pathOf(visit.id));
  const at = ui.numberOf(digits('at'));
  const variantId = value('variant') || offer.product.variantId;
  const [variant, candidates, queue, summary] = await ui.allInOrder([
    variantId === null || variantId === offer.variant?.id
      ? offer.variant
      : read<api.Variant>(apiPath`/operator/v1/variants/${variantId}`),
    isInReview(offer) ? readCandidates(visit) : ui.emptyList,
    ui.orRefused(visit, readQueue(visit, filterOf(visit), { page: at, pageSize: 1 }), ui.emptyList),
    read<api.VendorSummary>(apiPath`/operator/v1/vendors/${offer.vendorId}/summary`),
  ]);
  // The address of a page that was opened by itself has no position in the queue.
  const isInQueue = queue.items[0]?.id === offer.id;
  const position = isInQueue ? { at, total: ui.totalOf(visit, queue) } : null;
  // The variant that the page begins with is a candidate too.
  const isListed = candidates.items.some((candidate) => candidate.variant.id === variant?.id);
  const added = variant === null || isListed ? [] : [{ variant, matches: [] }];
  const choices = isInReview(offer) ? [...candidates.items, ...added] : [];
  return { offer, variant, candidates, choices, position, context: contextOf(visit), summary };
}
export type Decision = Awaited<ReturnType<typeof readDecision>>;
