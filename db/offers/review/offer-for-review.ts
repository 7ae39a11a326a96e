import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot } from '../../core/transaction.ts';
import { findLatestAct, listOperatorActions, type OperatorAction } from '../../accounts/audit.ts';
import { findVendor, type Vendor } from '../../accounts/vendors.ts';
import type { StatusChange } from '../../lists/status-history.ts';
import type { Offer, Variant } from '../../../domain/offers/offer.ts';
import { undoDecision, type UndoFacts } from '../../../domain/offers/undo-decision.ts';
import { findLastApproval, type LastApproval } from '../offer-approvals.ts';
import { listStatusChanges } from '../offer-history.ts';
import { findAnyOfferNow, findOffersById } from '../offers.ts';
import { findSupplyOption, type SupplyOption } from '../supply-options.ts';
import { findVariants } from '../variants.ts';
import { listOtherOffers, type OtherOffer } from './other-offers.ts';
import {
  findDuplicates,
  readReviewContext,
  type Duplicate,
  type ReviewContext,
} from './review-context.ts';

/** The most entries of each list of {@link OfferForReview}. */
export const reviewListMax = 20;
/** The most duplicates that a reviewer reads. */
export const duplicatesMax = 10;

/** Every fact of a decision on an offer. */
export type OfferForReview = {
  readonly offer: Offer;
  readonly supply: SupplyOption | null;
  readonly vendor: Vendor;
  /** The offer's match. */
  readonly variant: Variant | null;
  /** The variant that was approved last. */
  readonly approvedVariant: Variant | null;
  readonly approval: LastApproval | null;
  readonly facts: ReviewContext;
  readonly otherOffers: readonly OtherOffer[];
  /** Of an offer with the flag, the newest first. */
  readonly duplicates: readonly (Pick<Duplicate, 'shares'> & { readonly offer: Offer })[];
  readonly actions: readonly OperatorAction[];
  readonly statusChanges: readonly StatusChange[];
  /** The latest decision, if it can be taken back. */
  readonly undo: { readonly action: UndoFacts['action']; readonly until: Date } | null;
};

/** All of it as of one instant; null for an unknown id. */
export const findOfferForReview = (
  sql: Sql,
  id: string,
  {
    largePriceChangePercent: largeChangePercent,
    decisionUndoMs,
  }: { readonly largePriceChangePercent: number; readonly decisionUndoMs: number },
): Promise<OfferForReview | null> =>
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
      variant: variants.get(variantId ?? '') ?? null,
      approvedVariant: variants.get(approvedId ?? '') ?? null,
      approval,
      facts: own,
      otherOffers,
      duplicates,
      actions,
      undo: isUndoable && latest?.undo ? { action: latest.undo.action, until: latest.until } : null,
      statusChanges: (histories.get(id)?.changes ?? []).slice(-reviewListMax),
    };
  });

async function readDuplicates(
  snapshot: Queryable,
  id: string,
): Promise<OfferForReview['duplicates']> {
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
