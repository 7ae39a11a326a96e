import * as v from 'valibot';
import { offerSources, type Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkResponse } from '../../operator/workflow-link.ts';
import { toNestedOffer, nestedOfferResponse } from './nested-offer.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';

/** An offer as operators see it: the nested form, and what a reviewer needs besides. */
export const operatorOfferResponse = v.object({
  ...nestedOfferResponse.entries,
  vendorId: id,
  source: v.picklist(offerSources),
  version: integer,
  awaitingDecision: v.boolean(),
  awaitingSince: orNull(instant),
  supplyOptionId: orNull(id),
  createdAt: instant,
  changedAt: instant,
  workflow: workflowLinkResponse,
});

export const operatorOffer = (
  offer: Offer,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorOfferResponse> => ({
  ...toNestedOffer(offer),
  vendorId: offer.vendorId,
  source: offer.source,
  version: offer.version,
  awaitingDecision: offer.awaitingSince !== null,
  awaitingSince: isoOrNull(offer.awaitingSince),
  supplyOptionId: offer.supply?.optionId ?? null,
  createdAt: offer.createdAt.toISOString(),
  changedAt: offer.changedAt.toISOString(),
  workflow: workflowLink(offerReviewId(offer.id), temporalUi),
});
