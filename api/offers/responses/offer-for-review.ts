import * as v from 'valibot';
import type { Viewer } from '../../../db/accounts/offer-viewers.ts';
import {
  duplicatesMax,
  reviewListMax,
  type OfferForReview,
} from '../../../db/offers/review/offer-for-review.ts';
import {
  changedSince,
  judgedFields,
  judgedPrice,
  type JudgedPrice,
} from '../../../domain/offers/judged-offer.ts';
import { sarFromHalalas } from '../../../domain/money.ts';
import { livePrice, stagedPrice } from '../../../domain/offers/offer-prices.ts';
import { priceFromDeclaration, type Price } from '../../../domain/vat.ts';
import { undoableActions } from '../../../domain/offers/undo-decision.ts';
import {
  operatorVendor,
  operatorVendorResponse,
} from '../../accounts/responses/operator-vendor.ts';
import type { Dependencies } from '../../dependencies.ts';
import { described } from '../../validation/described.ts';
import {
  field,
  list,
  orNull,
  statusChange,
  titled,
  vendorId,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { nestedOfferResponse } from './nested-offer.ts';
import { operatorOffer, operatorOfferResponse } from './operator-offer.ts';
import { operatorId, reviewEntries, reviewFactsOf, vendorName } from './queued-offer.ts';
import { operatorSupply, supplyResponse } from './supply.ts';
import { operatorVariantResponse } from './variant.ts';

const price = titled('JudgedPrice', {
  amount: field.decimal('The amount as the vendor entered it, in SAR.', 241.5),
  isVatInclusive: field.flag('Whether that amount includes VAT.', true),
  net: field.decimal('The net amount, in SAR.', 210),
  vat: field.decimal('The VAT, in SAR.', 31.5),
  sellPrice: field.decimal('The selling price under the agreement, net, in SAR.', 262.5),
  customerPrice: field.decimal(
    'What a customer pays: the selling price with VAT at the present rate, in SAR.',
    301.88,
  ),
  payoutPrice: field.decimal("The vendor's payout, net, in SAR.", 210),
  margin: field.decimal('The selling price less the payout, in SAR.', 52.5),
  marginPercent: field.decimal('The margin in percent of the selling price.', 20),
});

/** An offer with all that a reviewer needs to decide on it. */
export const offerForReviewResponse = titled('OfferForReview', {
  ...operatorOfferResponse.entries,
  supply: orNull(
    supplyResponse,
    'The supply option that the offer sells as, with net prices; null before its first approval.',
  ),
  ...reviewEntries,
  vendor: described(operatorVendorResponse, 'The vendor with its agreement.'),
  variant: orNull(operatorVariantResponse, 'The match; null without one.'),
  pricing: described(
    titled('OfferPricing', {
      live: orNull(price, "The live price of the agreement's model; null without one."),
      staged: orNull(price, 'The staged price; null without one.'),
      changePercent: field.decimalOrNull(
        'The staged price against the live one, in percent of the net amounts.',
        5,
      ),
    }),
    'The prices under the present agreement.',
  ),
  otherOffers: list(
    titled('OtherOffer', {
      offerId: field.id("The offer's id.", sample.offerId),
      vendorId,
      vendorName,
      net: field.decimal("The vendor's price, net, in SAR.", 210),
      sellPrice: field.decimal('The selling price, net, in SAR.', 262.5),
      inStock: field.flag('Whether it is in stock.', true),
    }),
    `Other live offers for the variant, the cheapest first, at most ${reviewListMax}.`,
    [],
  ),
  duplicates: list(
    titled('DuplicateOffer', {
      offerId: field.id("The offer's id.", sample.offerId),
      status: nestedOfferResponse.entries.status,
      vendorExternalId: nestedOfferResponse.entries.vendorExternalId,
      vendorSku: nestedOfferResponse.entries.product.entries.vendorSku,
      net: field.decimalOrNull('The live price, net, in SAR; null without one.', 210),
      shares: list(
        v.picklist(['barcode', 'variantId', 'vendorSku']),
        'The facts that both offers have.',
        ['barcode'],
      ),
    }),
    'With the flag `DuplicateOfVendor`, the offers of the vendor that it is about, the newest ' +
      `first, at most ${duplicatesMax}.`,
    [],
  ),
  approvedBefore: orNull(
    titled('ApprovedBefore', {
      at: field.instant('When it was approved, in UTC.', sample.approvedAt),
      operatorId,
      vendorExternalId: nestedOfferResponse.entries.vendorExternalId,
      product: nestedOfferResponse.entries.product,
      variant: orNull(operatorVariantResponse, 'The variant as it is now.'),
      price: described(price, 'The approved price, under the agreement of that time.'),
      differs: list(
        v.picklist(judgedFields),
        'The fields in which the offer differs now; its price is the one to decide on.',
        ['rawBrandName'],
      ),
    }),
    'What was approved last; null before the first approval.',
  ),
  history: described(
    titled('ReviewHistory', {
      decisions: list(
        titled('OperatorAction', {
          at: field.instant('When, in UTC.', sample.approvedAt),
          operatorId,
          action: field.text('The action of the audit log.', 'offer.reject'),
          status: field.textOrNull('The status after it.', 'Rejected'),
          reason: field.textOrNull('The reason; null without one.', 'The size is missing.'),
          netBefore: field.decimalOrNull('The live net price before it, in SAR.', 100),
          netAfter: field.decimalOrNull('The live net price after it.', 92),
          stagedBefore: field.decimalOrNull('The staged net price before it.', 92),
          stagedAfter: field.decimalOrNull('The staged net price after it.', null),
        }),
        `What operators did, newest first, at most ${reviewListMax}.`,
      ),
      statusChanges: list(
        statusChange,
        `The latest status changes, oldest first, at most ${reviewListMax}.`,
      ),
    }),
    'Earlier decisions and status changes.',
  ),
  undo: orNull(
    titled('Undo', {
      action: described(v.picklist(undoableActions), 'The decision.', 'reject'),
      until: field.instant('Until when, in UTC.', sample.approvedAt),
    }),
    'The latest decision, if it can be taken back; else null.',
    null,
  ),
});

function toPriceResponse(
  judged: JudgedPrice,
  vatRateBasisPoints: number,
): v.InferInput<typeof price> {
  const { netHalalas, vatHalalas, enteredVatInclusive, sellHalalas, payoutHalalas } = judged;
  const marginHalalas = sellHalalas - payoutHalalas;
  const sold = priceFromDeclaration(sellHalalas, false, vatRateBasisPoints);
  return {
    amount: sarFromHalalas(enteredVatInclusive ? netHalalas + vatHalalas : netHalalas),
    isVatInclusive: enteredVatInclusive,
    net: sarFromHalalas(netHalalas),
    vat: sarFromHalalas(vatHalalas),
    sellPrice: sarFromHalalas(sellHalalas),
    customerPrice: sarFromHalalas(sold.netHalalas + sold.vatHalalas),
    payoutPrice: sarFromHalalas(payoutHalalas),
    margin: sarFromHalalas(marginHalalas),
    marginPercent: sellHalalas === 0 ? 0 : Math.round((marginHalalas / sellHalalas) * 10_000) / 100,
  };
}

const sarOrNull = (halalas: number | null): number | null =>
  halalas === null ? null : sarFromHalalas(halalas);

const toActionResponse = (action: OfferForReview['actions'][number]) => ({
  ...action,
  netBefore: sarOrNull(action.netBefore),
  netAfter: sarOrNull(action.netAfter),
  stagedBefore: sarOrNull(action.stagedBefore),
  stagedAfter: sarOrNull(action.stagedAfter),
});

/** The last approval with the fields in which the offer differs from it. */
function approvedBefore(
  { offer, approval, approvedVariant }: OfferForReview,
  vatRateBasisPoints: number,
): v.InferInput<typeof offerForReviewResponse>['approvedBefore'] {
  if (approval === null) return null;
  const { at, operatorId, judged } = approval;
  const { vendorExternalId, pricingModel: _pricingModel, price: approved, ...product } = judged;
  return {
    at,
    operatorId,
    vendorExternalId,
    product,
    variant: approvedVariant,
    price: toPriceResponse(approved, vatRateBasisPoints),
    differs: changedSince(judged, offer),
  };
}

function toDuplicateResponse({ offer, shares }: OfferForReview['duplicates'][number]) {
  const live = livePrice(offer);
  const { id: offerId, status, vendorExternalId, vendorSku } = offer;
  const net = live === null ? null : sarFromHalalas(live.netHalalas);
  return { offerId, status, vendorExternalId, vendorSku, net, shares };
}

export function offerForReview(
  found: OfferForReview & { readonly viewers: readonly Viewer[] },
  {
    temporalUi,
    vatRateBasisPoints,
    reviewTargetHours,
  }: Pick<Dependencies, 'temporalUi' | 'vatRateBasisPoints' | 'reviewTargetHours'>,
): v.InferInput<typeof offerForReviewResponse> {
  const { offer, supply, vendor, variant, facts, otherOffers, actions, statusChanges, undo } =
    found;
  const agreement = { ...vendor.agreement, pricingModel: offer.pricingModel };
  const pricedBy = (given: Price | null) =>
    given && toPriceResponse(judgedPrice(given, agreement), vatRateBasisPoints);
  const staged = stagedPrice(offer);
  return {
    ...operatorOffer(offer, temporalUi),
    supply: supply === null ? null : operatorSupply(supply, offer),
    ...reviewFactsOf(offer, facts.flags, found.viewers, reviewTargetHours),
    vendor: operatorVendor(vendor),
    variant,
    pricing: {
      live: pricedBy(livePrice(offer)),
      staged: pricedBy(staged),
      changePercent: staged === null ? null : facts.priceChangePercent,
    },
    otherOffers: otherOffers.map(({ net, sellNet, ...other }) => ({
      ...other,
      net: sarFromHalalas(net),
      sellPrice: sarFromHalalas(Number(sellNet)),
    })),
    duplicates: found.duplicates.map(toDuplicateResponse),
    approvedBefore: approvedBefore(found, vatRateBasisPoints),
    history: {
      decisions: actions.map(toActionResponse),
      statusChanges,
    },
    undo,
  };
}
