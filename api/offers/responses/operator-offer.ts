import * as v from 'valibot';
import { offerSources, type Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkForm } from '../../operator/workflow-link.ts';
import { offerNested, offerNestedForm } from './nested-offer.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';

/** An offer as operators see it: the nested form, and what a reviewer needs besides. */
export const operatorOfferForm = v.object({
  ...offerNestedForm.entries,
  vendorId: id,
  source: v.picklist(offerSources),
  version: integer,
  awaitingDecision: v.boolean(),
  awaitingSince: orNull(instant),
  supplyOptionId: orNull(id),
  createdAt: instant,
  changedAt: instant,
  workflow: workflowLinkForm,
});

export const operatorOffer = (
  offer: Offer,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorOfferForm> => ({
  ...offerNested(offer),
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
