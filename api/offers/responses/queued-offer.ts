import type * as v from 'valibot';
import type { Viewer } from '../../../db/accounts/offer-viewers.ts';
import type { QueuedOffer } from '../../../db/offers/lists/review-queue.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { stagedPrice } from '../../../domain/offers/offer-prices.ts';
import {
  reviewFlags,
  reviewKindOf,
  reviewKinds,
  type ReviewFlag,
} from '../../../domain/offers/review-flags.ts';
import type { Dependencies } from '../../dependencies.ts';
import { describeValues } from '../../validation/described.ts';
import { enumeration, field, list, orNull, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { operatorOffer, operatorOfferResponse } from './operator-offer.ts';

export const vendorName = field.text("The vendor's name.", 'Oud & Amber Trading');
export const reviewFlag = enumeration(
  'ReviewFlag',
  reviewFlags,
  describeValues('A warning; it refuses no decision.', {
    DuplicateOfVendor:
      'the vendor has another offer, neither withdrawn nor rejected, with the variant, barcode or ' +
      '`vendorSku`.',
    BarcodeDiffers: "the barcode is not the variant's.",
    PriceMissing: "no price above 0 of the vendor's agreement; approving is refused.",
    LargePriceChange:
      'the staged price differs from the live one by more than ' +
      '[`LARGE_PRICE_CHANGE_PERCENT`](/docs/configuration), by default 20.',
    NoBarcode: 'no barcode.',
    IdentityEdited: 'an identity fact was edited since the last approval.',
  }),
  'NoBarcode',
);
export const reviewKind = enumeration(
  'ReviewKind',
  reviewKinds,
  describeValues('What waits for a decision.', {
    Match: 'an offer without a match.',
    Review: 'a matched offer.',
    StagedPrice: 'the staged price of a live offer.',
    IdentityEdit: 'an approved offer whose identity was edited.',
  }),
  'Review',
);
export const operatorId = field.text("The operator's login name.", sample.operatorId);

/** What a reviewer sees of each offer that waits, in lists too. */
export const reviewEntries = {
  kind: orNull(reviewKind, 'What waits for a decision; null when nothing does.'),
  isOverTarget: field.flag(
    'Whether it waits longer than [`REVIEW_TARGET_HOURS`](/docs/configuration), by default 48.',
    false,
  ),
  flags: list(reviewFlag, 'Warnings while it waits.', ['NoBarcode']),
  viewers: list(
    titled('Viewer', { operatorId, at: field.instant('When, in UTC.', sample.approvedAt) }),
    'The operators whose latest read in five minutes is this offer; of a single offer, the others.',
    [],
  ),
};

/** An offer of the operators' list. */
export const queuedOfferResponse = titled('QueuedOffer', {
  ...operatorOfferResponse.entries,
  ...reviewEntries,
  vendorName,
  priceChangePercent: field.decimalOrNull(
    'The staged price against the live one, in percent of the net amounts; null without one.',
    5,
  ),
});

/** What waits since before it waits longer than the target; null without a target. */
export const targetStart = (hours: number): Date | null =>
  hours === 0 ? null : new Date(Date.now() - hours * 3_600_000);

/** What {@link reviewEntries} describe; an offer that does not wait has no warnings. */
export function reviewFactsOf(
  offer: Offer,
  flags: readonly ReviewFlag[],
  viewers: readonly Viewer[],
  targetHours: number,
) {
  const { awaitingSince } = offer;
  const start = targetStart(targetHours);
  return {
    kind: reviewKindOf(offer),
    isOverTarget: awaitingSince !== null && start !== null && awaitingSince < start,
    flags: awaitingSince === null ? [] : flags,
    viewers,
  };
}

export const queuedOffer = (
  { facts, ...offer }: QueuedOffer,
  viewers: readonly Viewer[],
  { temporalUi, reviewTargetHours }: Pick<Dependencies, 'temporalUi' | 'reviewTargetHours'>,
): v.InferInput<typeof queuedOfferResponse> => ({
  ...operatorOffer(offer, temporalUi),
  ...reviewFactsOf(offer, facts.flags, viewers, reviewTargetHours),
  vendorName: facts.vendorName,
  priceChangePercent: stagedPrice(offer) === null ? null : facts.priceChangePercent,
});
