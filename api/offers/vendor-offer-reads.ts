import * as v from 'valibot';
import { listOffers, listOffersWithHistory } from '../../db/offers/offer-list.ts';
import { findOffer, findOwnOfferWithHistory } from '../../db/offers/offers.ts';
import { offerStatuses } from '../../domain/offers/offer.ts';
import { apiError } from '../http/api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { readOfferResponse, offerWithHistory, type OfferRead } from './responses/read-offer.ts';
import { toNestedOffer } from './responses/nested-offer.ts';
import { described } from '../validation/described.ts';
import { pathId } from '../validation/path-id.ts';
import { sample } from '../validation/sample.ts';
import { offerStatusText } from './offer-texts.ts';
import {
  changedSinceParameter,
  enumParameter,
  includeParameter,
  pageParameters,
  query,
  rangeParameters,
  requireRange,
  textParameter,
} from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';

const listQuery = query({
  ...pageParameters,
  status: described(
    enumParameter(offerStatuses),
    `Only offers in this status. ${offerStatusText}`,
    'Approved',
  ),
  vendorSku: described(textParameter(100), 'Only offers with exactly this SKU.', sample.vendorSku),
  vendorExternalId: described(
    textParameter(255),
    'Only the offer with exactly this id of yours.',
    sample.vendorExternalId,
  ),
  changedSince: changedSinceParameter,
  ...rangeParameters('offers created'),
  include: includeParameter,
});

/** `GET /api/v1/scent/offers` and `/{id}` (D15, D32): the vendor's own offers, with their history on request. */
export function offersReadRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { capability: ['Offers', 'Stock', 'Cost'] } as const;
  app.get(
    '/api/v1/scent/offers',
    {
      config,
      schema: {
        querystring: listQuery,
        response: { 200: envelope(pageOf(readOfferResponse)) },
        tags: ['Offers'],
        summary: 'List offers: newest first, or by change time with changedSince',
        operationId: 'listOffers',
        description:
          'Your own offers, however they came in, with the newest first. With `changedSince` only ' +
          'those that changed strictly after that instant, in order of change. `from` and `to` ' +
          'bound the creation and include both ends; `from` may not be after `to`. Text filters ' +
          "find the exact value only. `include=history` adds each offer's status changes.",
      },
    },
    async (request) => {
      const { status, vendorSku, vendorExternalId, changedSince, from, to, include, ...page } =
        request.query;
      requireRange(from, to);
      const filter = {
        status: status ?? null,
        vendorSku: vendorSku ?? null,
        vendorExternalId: vendorExternalId ?? null,
        changedSince: changedSince ?? null,
        createdFrom: from ?? null,
        createdTo: to ?? null,
      };
      const { vendorId } = vendorOf(request);
      if (include === undefined) {
        const found = await listOffers(sql, vendorId, filter, page);
        return success(pagePayload(found, page, ({ offer }): OfferRead => toNestedOffer(offer)));
      }
      const { page: found, history } = await listOffersWithHistory(sql, vendorId, filter, page);
      return success(pagePayload(found, page, ({ offer }) => offerWithHistory(offer, history)));
    },
  );
  app.get(
    '/api/v1/scent/offers/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR_OFFER'] },
      schema: {
        params: v.object({ id: v.string() }),
        querystring: query({ include: includeParameter }),
        response: { 200: envelope(readOfferResponse) },
        tags: ['Offers'],
        summary: 'Read an offer',
        operationId: 'getOffer',
        description:
          'One of your own offers in the nested form, however it came in. `include=history` adds ' +
          "its status changes, the oldest first, with the reviewer's reasons.",
      },
    },
    async (request) => {
      const offerId = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
      const { vendorId } = vendorOf(request);
      if (request.query.include === undefined) {
        const offer = await findOffer(sql, vendorId, offerId);
        if (offer === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
        return success<OfferRead>(toNestedOffer(offer));
      }
      const read = await findOwnOfferWithHistory(sql, vendorId, offerId);
      if (read === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
      return success(offerWithHistory(read.found.offer, read.history));
    },
  );
}
