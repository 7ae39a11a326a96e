import type { PricingModel } from '../accounts/agreement.ts';
import { fail, type Result } from '../errors.ts';
import { isSameGtin } from '../offers/gtin.ts';
import { restoreFacts, type RestorableFacts } from '../offers/edit-offer.ts';
import { moveOffer } from '../offers/move-offer.ts';
import { priceFields, productDetails, type Offer, type OfferStatus } from '../offers/offer.ts';
import { isEqualPrice, type Price } from '../vat.ts';

const facts = [
  ...productDetails,
  'barcode',
  ...priceFields,
  'declaredInStock',
  'declaredStockQuantity',
] as const;

/** What an item of a job changed, kept for its restoration. */
export type RecordedChange = {
  readonly isCreation: boolean;
  /** As the item left the offer. */
  readonly status: OfferStatus;
  readonly pricingModel: PricingModel;
  readonly judgedVersion: number;
  readonly statusBefore: OfferStatus | null;
  /** The facts that differ, as they were and as the item left them. */
  readonly before: Partial<RestorableFacts>;
  readonly after: Partial<RestorableFacts>;
};

/** What an item changed; `before` is null for an offer that the item created. */
export function recordChange(before: Offer | null, after: Offer): RecordedChange {
  const changed = before === null ? [] : facts.filter((name) => before[name] !== after[name]);
  const pick = (offer: Offer | null): Partial<RestorableFacts> =>
    Object.fromEntries(changed.map((name) => [name, offer?.[name]]));
  const { status, pricingModel, judgedVersion } = after;
  return {
    isCreation: before === null,
    status,
    pricingModel,
    judgedVersion,
    statusBefore: before?.status ?? null,
    before: pick(before),
    after: pick(after),
  };
}

const changedSince = fail('CONFLICT_VERSION', {
  message: 'The offer has changed since the job. Its present values stay.',
});

const isPrice = (value: unknown): value is Price => typeof value === 'object' && value !== null;
const isEqual = (one: unknown, other: unknown): boolean =>
  isPrice(one) && isPrice(other) ? isEqualPrice(one, other) : one === other;

/** Whether the offer has what the item left: its status, and each fact that the item changed. */
const isAsLeft = (offer: Offer, change: RecordedChange): boolean =>
  offer.status === change.status &&
  offer.pricingModel === change.pricingModel &&
  (!change.isCreation || offer.judgedVersion === change.judgedVersion) &&
  facts.every(
    (name) =>
      !Object.hasOwn(change.after, name) ||
      (name === 'barcode'
        ? isSameGtin(offer.barcode, change.after.barcode ?? null)
        : isEqual(offer[name], change.after[name])),
  );

/**
 * The offer with the facts from before an item; a created one is withdrawn. Fails with
 * CONFLICT_VERSION where the offer is no longer as the item left it, and as an edit does. A price
 * from before an agreement switch is not restored: the vendor never declared it under that model.
 */
export function revertChange(offer: Offer, change: RecordedChange, now: Date): Result<Offer> {
  if (!isAsLeft(offer, change)) return changedSince;
  if (change.isCreation) return moveOffer(offer, { action: 'withdraw' }, now);
  const touchesPrice = priceFields.some((name) => Object.hasOwn(change.before, name));
  if (change.statusBefore === 'PendingRepricing' && touchesPrice) {
    const { status } = offer;
    return fail('BUSINESS_OFFER_INVALID_TRANSITION', { status, action: 'revert' });
  }
  return restoreFacts(offer, change.before, now);
}
