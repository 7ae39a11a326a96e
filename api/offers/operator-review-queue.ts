import * as v from 'valibot';
import { findAnyOffer } from '../../db/offers/offers.ts';
import { listOffersForReview } from '../../db/offers/review-queue.ts';
import { onSnapshot } from '../../db/core/snapshot.ts';
import { findSupplyOption } from '../../db/offers/supply-options.ts';
import { offerStatuses } from '../../domain/offers/offer.ts';
import { apiError } from '../http/api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { operatorOffer, operatorOfferResponse } from './responses/operator-offer.ts';
import { operatorOfferDetailResponse, operatorSupply } from './responses/supply.ts';
import { described } from '../validation/described.ts';
import { pathId } from '../validation/path-id.ts';
import {
  booleanParameter,
  enumParameter,
  pageParameters,
  query,
  vendorIdParameter,
} from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const querystring = query({
  ...pageParameters,
  status: described(enumParameter(offerStatuses), 'Only offers in this status.', 'PendingReview'),
  vendorId: vendorIdParameter,
  awaitingDecision: described(
    booleanParameter,
    'Only offers that wait for a reviewer (`true`), or only the others (`false`).',
    'true',
  ),
});
const tags = ['Operator: offers'];

/** The review queue: what waits longest for a decision comes first. */
export function operatorReviewQueueRoutes(app: Routes, { sql, temporalUi }: Dependencies): void {
  const config = { role: 'Reviewer' } as const;
  app.get(
    '/operator/v1/offers',
    {
      config,
      schema: {
        querystring,
        response: { 200: envelope(pageOf(operatorOfferResponse)) },
        tags,
        summary: 'List offers, oldest waiting first',
        operationId: 'listOffersForReview',
        description:
          "Every vendor's offers. With `awaitingDecision=true` it is the review queue: offers in " +
          '`PendingMatch` and `PendingReview`, and approved ones with a staged price, with those ' +
          'first that have waited longest.',
      },
    },
    async (request) => {
      const { status = null, vendorId = null, awaitingDecision = null, ...page } = request.query;
      const found = await listOffersForReview(sql, { status, vendorId, awaitingDecision }, page);
      return success(pagePayload(found, page, (offer) => operatorOffer(offer, temporalUi)));
    },
  );
  app.get(
    '/operator/v1/offers/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_OFFER'] },
      schema: {
        params: v.object({ id: v.string() }),
        response: { 200: envelope(operatorOfferDetailResponse) },
        tags,
        summary: 'Read an offer',
        operationId: 'getOfferForReview',
        description:
          'One offer of any vendor, with the supply option as which it sells, once it was approved, ' +
          'and the link to the history of its review.',
      },
    },
    async (request) => {
      const id = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
      const [offer, option] = await onSnapshot(sql, (snapshot) =>
        Promise.all([findAnyOffer(snapshot, id), findSupplyOption(snapshot, id)]),
      );
      if (offer === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
      const supply = option === null ? null : operatorSupply(option, offer);
      return success({ ...operatorOffer(offer, temporalUi), supply });
    },
  );
}
