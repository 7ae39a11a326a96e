import { onSnapshot } from '../../db/core/snapshot.ts';
import { findAnyOffer } from '../../db/offers/offers.ts';
import { listOffersForReview } from '../../db/offers/review-queue.ts';
import { findSupplyOption } from '../../db/offers/supply-options.ts';
import { offerStatuses } from '../../domain/offers/offer.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import {
  booleanParameter,
  enumParameter,
  pageParameters,
  query,
  vendorIdParameter,
} from '../validation/query.ts';
import { operatorOffer, operatorOfferResponse } from './responses/operator-offer.ts';
import { operatorOfferDetailResponse, operatorSupply } from './responses/supply.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';

/** Every vendor's offers as reviewers read them. */
export const operatorReviewQueueRoutes: AddRoutes = (app, { sql, lists, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  route(
    'GET /operator/v1/offers',
    {
      operationId: 'listOffersForReview',
      summary: 'List offers, longest waiting first',
      description:
        'Lists the offers of every vendor. With `awaitingDecision=true` it is the review queue: ' +
        'offers in `PendingMatch` and `PendingReview`, and approved offers with a staged price. ' +
        'The offers that have waited longest come first.',
      query: query({
        ...pageParameters,
        status: described(
          enumParameter(offerStatuses),
          'Only offers in this status.',
          'PendingReview',
        ),
        vendorId: vendorIdParameter,
        awaitingDecision: described(
          booleanParameter,
          'Only offers that wait for a reviewer (`true`), or only the others (`false`).',
          'true',
        ),
      }),
      payload: pageOf(operatorOfferResponse),
    },
    async ({ query: { status = null, vendorId = null, awaitingDecision = null, ...page } }) => {
      const found = await listOffersForReview(lists, { status, vendorId, awaitingDecision }, page);
      return pagePayload(found, page, (offer) => operatorOffer(offer, temporalUi));
    },
  );
  route(
    'GET /operator/v1/offers/:id',
    {
      operationId: 'getOfferForReview',
      summary: 'Read an offer',
      description:
        "Reads one offer of any vendor, with a link to its review's history. An offer that was " +
        'ever approved has its supply option in it.',
      payload: operatorOfferDetailResponse,
      notFound,
    },
    async ({ id }) => {
      const [found, option] = await onSnapshot(sql, (snapshot) =>
        Promise.all([findAnyOffer(snapshot, id), findSupplyOption(snapshot, id)]),
      );
      const offer = orNotFound(found, notFound);
      const supply = option === null ? null : operatorSupply(option, offer);
      return { ...operatorOffer(offer, temporalUi), supply };
    },
  );
};
