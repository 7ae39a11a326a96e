import * as v from 'valibot';
import { listStatusChanges } from '../../db/offer-history.ts';
import { listOffers } from '../../db/offer-list.ts';
import type { FoundOffer } from '../../db/offer-row.ts';
import { findOwnOffer } from '../../db/offers.ts';
import { offerStatuses } from '../../domain/offer.ts';
import { apiError } from '../api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../envelope.ts';
import { offerReadForm, statusChange, type OfferRead } from '../forms/offer-read.ts';
import { offerNested } from '../forms/offer-nested.ts';
import { pathId } from '../path-id.ts';
import {
  enumParameter,
  includeParameter,
  instantParameter,
  pageParameters,
  query,
  requireRange,
  textParameter,
} from '../query.ts';
import type { Routes } from '../validation.ts';

const include = includeParameter(['history']);
const listQuery = query({
  ...pageParameters,
  status: enumParameter(offerStatuses),
  vendorSku: textParameter(100),
  vendorExternalId: textParameter(255),
  changedSince: instantParameter,
  from: instantParameter,
  to: instantParameter,
  include,
});

/** `GET /api/v1/scent/offers` and `/{id}` (D15, D32): the vendor's own offers, with their history on request. */
export function offersReadRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { capability: ['Offers', 'Stock', 'Cost'] } as const;
  const read = async (found: readonly FoundOffer[], includes: readonly string[]): Promise<OfferRead[]> => {
    if (!includes.includes('history')) return found.map(({ offer }) => offerNested(offer));
    const changes = await listStatusChanges(sql, found);
    return found.map(({ offer }) => ({
      ...offerNested(offer),
      history: (changes.get(offer.id) ?? []).map(statusChange),
    }));
  };
  app.get(
    '/api/v1/scent/offers',
    {
      config,
      schema: {
        querystring: listQuery,
        response: { 200: envelope(pageOf(offerReadForm)) },
        tags: ['Offers'],
        summary: 'List offers: newest first, or by change time with changedSince',
      },
    },
    async (request) => {
      const { status, vendorSku, vendorExternalId, changedSince, from, to, include, ...page } = request.query;
      requireRange(from, to);
      const filter = {
        status: status ?? null,
        vendorSku: vendorSku ?? null,
        vendorExternalId: vendorExternalId ?? null,
        changedSince: changedSince ?? null,
        createdFrom: from ?? null,
        createdTo: to ?? null,
      };
      const found = await listOffers(sql, vendorOf(request).vendorId, filter, page);
      const items = await read(found.items, include ?? []);
      return success(pagePayload({ items, totalCount: found.totalCount }, page, (item) => item));
    },
  );
  app.get(
    '/api/v1/scent/offers/:id',
    {
      config,
      schema: {
        params: v.object({ id: v.string() }),
        querystring: query({ include }),
        response: { 200: envelope(offerReadForm) },
        tags: ['Offers'],
        summary: 'Read an offer',
      },
    },
    async (request) => {
      const offerId = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
      const found = await findOwnOffer(sql, vendorOf(request).vendorId, offerId);
      const [offer] = found === null ? [] : await read([found], request.query.include ?? []);
      if (offer === undefined) throw apiError('NOT_FOUND_VENDOR_OFFER');
      return success(offer);
    },
  );
}
