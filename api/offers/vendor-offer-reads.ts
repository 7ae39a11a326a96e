import { mapInTurns } from '../../db/core/map-in-turns.ts';
import { listOffers } from '../../db/offers/lists/offer-list.ts';
import type { Queryable } from '../../db/core/client.ts';
import { createOfferReader } from '../../db/offers/offer-facts.ts';
import { listOfferHistory } from '../../db/offers/offer-history.ts';
import { findOwnOffer, findOwnOfferWithHistory } from '../../db/offers/offers.ts';
import { offerStatuses } from '../../domain/offers/offer.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf } from '../http/envelope.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { longListItem } from '../validation/json-schema.ts';
import { statusChange } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import {
  changedSinceParameter,
  enumParameter,
  includeParameter,
  query,
  rangeParameters,
  requireRange,
  textParameter,
} from '../validation/query.ts';
import { readOffer, readOfferResponse, type OfferRead } from './responses/read-offer.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';

/** A vendor's own offers, with their history on request. */
export const vendorOfferReadRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists } = dependencies;
  const route = vendorRoutes(app, { capability: ['Offers', 'Stock', 'Cost'], tag: 'Offers' });
  const readOwnOffer = createOfferReader(sql);
  route({
    at: 'GET /api/v1/scent/offers',
    operationId: 'listOffers',
    summary: 'List offers: newest first, or by change time with changedSince',
    description:
      'Lists your offers of every source, newest first. With `changedSince` it lists only ' +
      'offers that changed strictly after that instant, in order of change. Read all pages, ' +
      'then poll with the `details.nextChangedSince` of the last one to miss no change; an ' +
      'offer can appear again, so reconcile by `id`. `from` and `to` ' +
      'limit the creation time, both ends included; `from` must not be after `to`. Text ' +
      "filters match the exact value. `include=history` adds each offer's newest 100 status " +
      'changes.',
    query: query({
      status: enumParameter(offerStatuses, 'Only offers in this status.', 'Approved'),
      vendorSku: textParameter(100, 'Only offers with exactly this SKU.', sample.vendorSku),
      vendorExternalId: textParameter(
        255,
        'Only offers with exactly this id of yours.',
        sample.vendorExternalId,
      ),
      changedSince: changedSinceParameter,
      ...rangeParameters('offers created'),
      include: includeParameter,
    }),
    payload: pageOf(longListItem(readOfferResponse)),
    isDelta: true,
    handler: async ({ caller: { vendorId, tokenId }, query: parameters, page }) => {
      const { from, to, include, ...exact } = parameters;
      requireRange(from, to);
      const clock = await readVendorClock(dependencies, vendorId);
      clock.requirePast({ changedSince: exact.changedSince, from, to });
      const filter = { ...exact, createdFrom: from, createdTo: to, tokenId };
      const isWithHistory = include !== null;
      const found = await listOffers(lists, vendorId, filter, page, { isWithHistory });
      const { history } = found;
      // A page of histories is long: other vendors' calls run between its items.
      const items = isWithHistory
        ? await mapInTurns(found.items, (one) => readOffer(one, history))
        : found.items.map((one) => readOffer(one, null));
      return { ...found, items };
    },
  });
  route({
    at: 'GET /api/v1/scent/offers/:id',
    operationId: 'getOffer',
    summary: 'Read an offer',
    description:
      'Reads one of your offers of any source, in the nested form with its change time. ' +
      '`include=history` adds its newest 100 status changes, oldest first, with the ' +
      "reviewer's reasons.",
    query: query({ include: includeParameter }),
    payload: readOfferResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id, query: parameters }): Promise<OfferRead> => {
      if (parameters.include === null)
        return readOffer(orNotFound(await readOwnOffer(vendorId, id), notFound), null);
      const read = orNotFound(await findOwnOfferWithHistory(sql, vendorId, id), notFound);
      return readOffer(read.found, read.history);
    },
  });
  route({
    at: 'GET /api/v1/scent/offers/:id/history',
    operationId: 'listOfferHistory',
    summary: 'List the status changes of an offer',
    description:
      'Lists all status changes of one of your offers, oldest first. `include=history` of the ' +
      'other reads has the newest 100. A change that comes later is added at the end, so the ' +
      'earlier pages stay as they are.',
    payload: pageOf(statusChange),
    notFound,
    handler: async ({ caller: { vendorId }, id, page }) => {
      const find = (snapshot: Queryable) => findOwnOffer(snapshot, vendorId, id);
      return orNotFound(await listOfferHistory(lists, find, page), notFound);
    },
  });
};
