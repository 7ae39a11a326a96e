import { v7 as uuidv7 } from 'uuid';
import { findLatestAct, insertAuditEntries } from '../../db/accounts/audit.ts';
import type { Queryable } from '../../db/core/client.ts';
import { lockOwnOffers } from '../../db/offers/lock-own-offers.ts';
import { findOffersById } from '../../db/offers/offers.ts';
import type { FoundOffer } from '../../db/offers/offer-row.ts';
import { storeOffers } from '../../db/offers/store-offers.ts';
import { recordApprovals } from '../../db/offers/offer-approvals.ts';
import { upsertSupplyOptions } from '../../db/offers/supply-options.ts';
import { findVariant, findVariants } from '../../db/offers/variants.ts';
import { emitEvents, newEvent, type NewEvent } from '../../db/webhooks/webhook-events.ts';
import { fail, type Result } from '../../domain/errors.ts';
import { auditedOffer } from '../../domain/offers/audited-offer.ts';
import { livePrice } from '../../domain/offers/offer-prices.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { undoFactsOf } from '../../domain/offers/undo-decision.ts';
import {
  decisionOf,
  reviewOffer,
  statusesPassedBy,
  variantIdAfter,
  type ReviewAction,
  type ReviewCommand,
} from '../../domain/offers/review-offer.ts';
import type { ReviewDecision, ReviewDecisionData } from '../../domain/webhooks/events.ts';

/** A decision that the rule allows, on a locked offer. */
export type Decided = {
  readonly found: FoundOffer;
  readonly after: Offer;
  readonly action: ReviewAction;
};

/** Who decides, by what call or job. */
export type Decider = {
  /** The id of the operator's row. */
  readonly reviewerId: string;
  readonly requestId: string;
  readonly reviewJobId?: string;
};

/** The `vendor.offer.review-decision` event for an offer after its decision. */
function reviewDecisionEvent(offer: Offer, decision: ReviewDecision): NewEvent {
  const { vendorId, changedAt: occurredAt } = offer;
  const data: ReviewDecisionData = {
    offerId: offer.id,
    vendorExternalId: offer.vendorExternalId,
    vendorSku: offer.vendorSku,
    decision,
    status: offer.status,
    reason: offer.reviewReason,
    reviewedAt: occurredAt.toISOString(),
  };
  return newEvent({ eventType: 'vendor.offer.review-decision', vendorId, occurredAt, data });
}

/**
 * Stores decisions: events, offers, status changes, messages to the reviews, supply options, audit
 * entries. `lockedOf` is the vendor of all the offers if the caller has locked them.
 */
export async function storeDecisions(
  sql: Queryable,
  decided: readonly Decided[],
  by: Decider,
  lockedOf: string | null = null,
): Promise<void> {
  if (decided.length === 0) return;
  const events = decided.map(({ after, action }) => reviewDecisionEvent(after, decisionOf[action]));
  await emitEvents(sql, ...events);
  const { reviewerId } = by;
  const changes = decided.map(({ found, after, action }) => ({
    found,
    after,
    passes: statusesPassedBy(action, found.offer),
    reviewerId,
    reason: after.reviewReason,
  }));
  // The reviews of a batch must not delay the messages of others. A single decision is an update of
  // its review's run.
  const isBatch = lockedOf !== null;
  const stored = await storeOffers(sql, changes, {
    isLowPriority: isBatch,
    lockedOf,
    isByReview: !isBatch,
  });
  if (stored !== decided.length) throw new Error('a locked offer changed');
  const priced = decided
    .filter(({ action, found, after }) =>
      action === 'undo'
        ? livePrice(found.offer) !== livePrice(after)
        : action === 'approve' || action === 'applyPrice',
    )
    .map(({ action, found: { agreement }, after }) => ({ action, agreement, after }));
  await upsertSupplyOptions(sql, priced);
  await recordApprovals(sql, priced, reviewerId);
  await insertAuditEntries(sql, ...decided.map((one) => auditEntry(one, by)));
}

const auditEntry = (
  { found, after, action }: Decided,
  { reviewerId, requestId, reviewJobId }: Decider,
) => {
  const undo = undoFactsOf(action, found.offer, after);
  const waitedMs = waitBefore(action, found);
  return {
    actor: { operatorId: reviewerId, credentialId: null },
    action: `offer.${action}`,
    subjectType: 'offer',
    subjectId: after.id,
    requestId,
    before: auditedOffer(found.offer),
    after: {
      ...auditedOffer(after),
      reason: after.reviewReason,
      ...(undo === null ? {} : { undo }),
      ...(waitedMs === null ? {} : { waitedMs }),
      ...(reviewJobId === undefined ? {} : { reviewJobId }),
    },
  } as const;
};

/** How long an offer waited for this decision; null for an act that ends no wait. */
function waitBefore(action: ReviewAction, { offer, now }: FoundOffer): number | null {
  if (action === 'undo' || action === 'returnToReview' || offer.awaitingSince === null) return null;
  return Math.max(0, now.getTime() - offer.awaitingSince.getTime());
}

/** The offer after a decision, by what is stored beside it. `undoMs` is for an undo. */
export async function reviewFound(
  sql: Queryable,
  { offer, now }: FoundOffer,
  command: ReviewCommand,
  undoMs: number,
): Promise<Result<Offer>> {
  const variantId = variantIdAfter(offer, command);
  const variant = variantId === null ? null : await findVariant(sql, variantId, offer.vendorId);
  const latest = command.action === 'undo' ? await findLatestAct(sql, offer.id, undoMs) : null;
  return reviewOffer(offer, command, { variant, newSupplyOptionId: uuidv7(), latest, now });
}

type Decision = { readonly offerId: string; readonly command: ReviewCommand };

/**
 * Applies decisions to offers of one vendor, each offer once, by the rule of the single call, and
 * stores them together. Returns each offer after its decision, or the refusal, by the offer's id.
 * Rejects when the lock of an offer takes longer than two seconds.
 */
export async function decideOffers(
  sql: Queryable,
  vendorId: string,
  decisions: readonly Decision[],
  by: Decider,
): Promise<ReadonlyMap<string, Result<Offer>>> {
  const names = decisions.map(({ offerId }) => ({ offerId, vendorExternalId: null }));
  const locked = await lockOwnOffers(sql, vendorId, names);
  const offers = await findOffersById(
    sql,
    locked.flatMap((offer) => offer?.id ?? []),
  );
  const variantIdOf = ({ offerId, command }: Decision): string | null => {
    const found = offers.get(offerId);
    return found === undefined ? null : variantIdAfter(found.offer, command);
  };
  const variantIds = decisions.flatMap((decision) => variantIdOf(decision) ?? []);
  const variants = await findVariants(sql, variantIds, vendorId);
  const results = new Map<string, Result<Offer>>();
  const decided: Decided[] = [];
  for (const decision of decisions) {
    const { offerId, command } = decision;
    const found = offers.get(offerId);
    if (found === undefined) {
      results.set(offerId, fail('NOT_FOUND_VENDOR_OFFER'));
      continue;
    }
    const variant = variants.get(variantIdOf(decision) ?? '') ?? null;
    const context = { variant, newSupplyOptionId: uuidv7(), now: found.now };
    const reviewed = reviewOffer(found.offer, command, context);
    results.set(offerId, reviewed);
    if (reviewed.ok) decided.push({ found, after: reviewed.value, action: command.action });
  }
  await storeDecisions(sql, decided, by, vendorId);
  return results;
}
