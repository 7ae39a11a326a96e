import { recordLook } from '../../../db/accounts/operator-looks.ts';
import { findOfferForReview } from '../../../db/offers/review/offer-for-review.ts';
import { listOffersForReview } from '../../../db/offers/lists/review-queue.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { orNotFound } from '../../http/api-error.ts';
import { pageOf, pagePayload } from '../../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { described } from '../../validation/described.ts';
import {
  booleanParameter,
  enumParameter,
  instantParameter,
  pageParameters,
  percentParameter,
  query,
  requireRange,
  textParameter,
  vendorIdParameter,
} from '../../validation/query.ts';
import { sample } from '../../validation/sample.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';
import { offerForReview, offerForReviewResponse } from '../responses/offer-for-review.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';

const percentText = 'In percent of the live price, by net amounts, with at most two decimals.';
const awaitingText = 'RFC 3339 with a time and an offset or `Z`.';

/** What a review job is made from. */
const filterParameters = {
  brand: described(
    textParameter(255),
    "Only offers of this brand, in any letter case: the matched variant's brand, or without a " +
      'match `rawBrandName`.',
    sample.brand,
  ),
  priceChangeMinPercent: described(
    percentParameter,
    `Only offers whose staged price changes the live one by this or more. ${percentText}`,
    '-5',
  ),
  priceChangeMaxPercent: described(
    percentParameter,
    `Only offers whose staged price changes the live one by this or less. ${percentText}`,
    '5',
  ),
  awaitingFrom: described(
    instantParameter,
    `Only offers that have waited for a reviewer since this instant or later. ${awaitingText}`,
    '2026-11-01T00:00:00Z',
  ),
  awaitingTo: described(
    instantParameter,
    `Only offers that have waited for a reviewer since this instant or earlier. ${awaitingText}`,
    '2026-11-30T23:59:59Z',
  ),
};

/** Every vendor's offers as reviewers read them. */
export const operatorReviewQueueRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists, temporalUi, largePriceChangePercent } = dependencies;
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
        ...filterParameters,
      }),
      payload: pageOf(operatorOfferResponse),
    },
    async ({ query: asked }) => {
      const { page: number, pageSize, status, vendorId, awaitingDecision, brand } = asked;
      const priceChange = { from: asked.priceChangeMinPercent, to: asked.priceChangeMaxPercent };
      const awaiting = { from: asked.awaitingFrom, to: asked.awaitingTo };
      requireRange(awaiting.from, awaiting.to, ['awaitingFrom', 'awaitingTo']);
      const filter = { status, vendorId, awaitingDecision, priceChange, brand, awaiting };
      const page = { page: number, pageSize };
      const found = await listOffersForReview(lists, filter, page);
      return pagePayload(found, page, (offer) => operatorOffer(offer, temporalUi));
    },
  );
  route(
    'GET /operator/v1/offers/:id',
    {
      operationId: 'getOfferForReview',
      summary: 'Read an offer',
      description:
        'Reads one offer of any vendor with every fact of a decision: vendor, variant, warnings, ' +
        'prices with margin, other offers for the variant, what was approved before and what ' +
        "differs, earlier decisions, and a link to its review's history.",
      payload: offerForReviewResponse,
      notFound,
    },
    async ({ id, caller }) => {
      const found = await findOfferForReview(sql, id, largePriceChangePercent);
      const offer = orNotFound(found, notFound);
      const viewers = await recordLook(sql, { offerId: id, operatorId: caller.id });
      return offerForReview({ ...offer, viewers }, temporalUi);
    },
  );
};
