import type * as v from 'valibot';
import { reviewVersionOf, type Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { field, titled, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { nestedOfferResponse, offerSource, toNestedOffer, versionText } from './nested-offer.ts';

/** An offer as operators see it: the nested form with the facts that a reviewer needs. */
export const operatorOfferResponse = titled('ReviewedOffer', {
  ...nestedOfferResponse.entries,
  vendorId,
  source: offerSource,
  version: field.integer(`${versionText} For information: no request takes it.`, 5),
  reviewVersion: field.integer(
    'A counter that increases with every change of what a reviewer judges: identity, barcode, ' +
      'match, live and staged prices, and the agreement of the vendor; not stock. Send it as ' +
      '`expectedVersion` to decide on the state that you have read.',
    3,
  ),
  awaitingDecision: field.flag('Whether the offer or its staged price waits for a reviewer.', true),
  awaitingSince: field.instantOrNull(
    'Since when the offer waits for a reviewer, in UTC; null when it does not wait.',
    '2026-11-20T06:30:00.000Z',
  ),
  supplyOptionId: field.idOrNull(
    'The supply option that the offer sells as; null before its first approval.',
    sample.supplyOptionId,
  ),
  createdAt: field.instant('When the offer was created, in UTC.', sample.offerCreatedAt),
  changedAt: field.instant('When the offer last changed, in UTC.', '2026-11-20T06:30:00.000Z'),
  workflow: workflowLinkTo('the review', `offer-review/${sample.offerId}`),
});

export const operatorOffer = (
  offer: Offer,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorOfferResponse> => ({
  ...toNestedOffer(offer),
  vendorId: offer.vendorId,
  source: offer.source,
  version: offer.version,
  reviewVersion: reviewVersionOf(offer),
  awaitingDecision: offer.awaitingSince !== null,
  awaitingSince: offer.awaitingSince,
  supplyOptionId: offer.supply?.optionId ?? null,
  createdAt: offer.createdAt,
  changedAt: offer.changedAt,
  workflow: workflowLink(offerReviewId(offer.id), temporalUi),
});
