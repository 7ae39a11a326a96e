import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot } from '../../core/transaction.ts';
import { findLatestAct, listOperatorActions } from '../../accounts/audit.ts';
import { findVendor } from '../../accounts/vendors.ts';
import { undoDecision } from '../../../domain/offers/undo-decision.ts';
import { findLastApproval } from '../offer-approvals.ts';
import { listStatusChanges } from '../offer-history.ts';
import { findAnyOfferNow, findOffersById } from '../offers.ts';
import { findSupplyOption } from '../supply-options.ts';
import { findVariants } from '../variants.ts';
import { findDuplicates, readReviewContext } from './review-context.ts';

/** The most entries of each list of {@link OfferForReview}. */
export const reviewListMax = 20;
/** The most duplicates that a reviewer reads. */
export const duplicatesMax = 10;

/** Every fact of a decision on an offer. */
export type OfferForReview = NonNullable<Awaited<ReturnType<typeof findOfferForReview>>>;

/** All of it as of one instant; null for an unknown id. */
export const findOfferForReview = (
  sql: Sql,
  id: string,
  {
    largePriceChangePercent: largeChangePercent,
    decisionUndoMs,
  }: { readonly largePriceChangePercent: number; readonly decisionUndoMs: number },
) =>
  onSnapshot(sql, async (snapshot) => {
    const found = await findAnyOfferNow(snapshot, id);
    if (found === null) return null;
    const { offer } = found;
    const { variantId } = offer;
    const [supply, vendor, approval, facts, otherOffers, actions, histories, latest] =
      await Promise.all([
        findSupplyOption(snapshot, id),
        findVendor(snapshot, offer.vendorId),
        findLastApproval(snapshot, id),
        readReviewContext(snapshot, [id], largeChangePercent),
        variantId === null ? [] : listOtherOffers(snapshot, { id, variantId }, reviewListMax),
        listOperatorActions(snapshot, id, reviewListMax),
        listStatusChanges(snapshot, [found]),
        findLatestAct(snapshot, id, decisionUndoMs),
      ]);
    const approvedId = approval?.judged.variantId ?? null;
    const ids = [variantId, approvedId].filter((each) => each !== null);
    const variants = await findVariants(snapshot, ids, null);
    const own = facts.get(id);
    if (vendor === null || own === undefined) throw new Error('every offer has a vendor');
    const duplicates = own.flags.includes('DuplicateOfVendor')
      ? await readDuplicates(snapshot, id)
      : [];
    const isUndoable = undoDecision(offer, latest).ok;
    return {
      offer,
      supply,
      vendor,
      /** The offer's match. */
      variant: variants.get(variantId ?? '') ?? null,
      /** The variant that was approved last. */
      approvedVariant: variants.get(approvedId ?? '') ?? null,
      approval,
      facts: own,
      otherOffers,
      /** Of an offer with the flag, the newest first. */
      duplicates,
      actions,
      /** The latest decision, if it can be taken back. */
      undo: isUndoable && latest?.undo ? { action: latest.undo.action, until: latest.until } : null,
      statusChanges: (histories.get(id)?.changes ?? []).slice(-reviewListMax),
    };
  });

async function readDuplicates(snapshot: Queryable, id: string) {
  const found = await findDuplicates(snapshot, id, duplicatesMax);
  const offers = await findOffersById(
    snapshot,
    found.map((duplicate) => duplicate.id),
  );
  return found.flatMap(({ id: duplicateId, shares }) => {
    const duplicate = offers.get(duplicateId);
    return duplicate === undefined ? [] : { offer: duplicate.offer, shares };
  });
}

/** A live offer for a variant; net amounts in halalas. */
type OtherOffer = {
  readonly offerId: string;
  readonly vendorId: string;
  readonly vendorName: string;
  readonly net: number;
  /** Text, because it may exceed an integer. */
  readonly sellNet: string;
  readonly inStock: boolean;
};

/** The most live offers of a variant that are compared. The planner knows it as a constant. */
const comparedMax = 1000;

/** The cheapest live offers for a variant, at most `max`, without the offer of an id. */
const listOtherOffers = (
  sql: Queryable,
  { id, variantId }: { readonly id: string; readonly variantId: string },
  max: number,
): Promise<readonly OtherOffer[]> => sql<OtherOffer[]>`
  select live.id as offer_id, vendors.id as vendor_id, vendors.name as vendor_name,
    supply_options.net, supply_options.sell_net, supply_options.in_stock
  from (
    select id, vendor_id, agreement_epoch from offers
    where variant_id = ${variantId} and status = 'Approved' and id <> ${id}
    order by vendor_id ${sql.unsafe(`limit ${comparedMax}`)}
  ) as live
  join supply_options on supply_options.offer_id = live.id and not supply_options.is_paused
  join vendors on vendors.id = live.vendor_id and vendors.agreement_epoch = live.agreement_epoch
  order by supply_options.sell_net, live.id limit ${max}`;
