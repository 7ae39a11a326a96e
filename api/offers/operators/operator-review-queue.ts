import * as v from 'valibot';
import { listViewers, recordViewer } from '../../../db/accounts/offer-viewers.ts';
import { onSnapshot } from '../../../db/core/transaction.ts';
import { findOfferForReview } from '../../../db/offers/review/offer-for-review.ts';
import { listOffersForReview } from '../../../db/offers/lists/review-queue.ts';
import { scannedMax } from '../../../db/offers/lists/review-search.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { findCandidates } from '../../../db/offers/variants.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { candidateMatches, rankCandidates } from '../../../domain/offers/rank-candidates.ts';
import { reviewFlags, reviewKinds } from '../../../domain/offers/review-flags.ts';
import { orNotFound } from '../../http/api-error.ts';
import { mapItems, pageOf } from '../../http/envelope.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { barcode, filledText } from '../../validation/fields.ts';
import { described } from '../../validation/described.ts';
import {
  booleanParameter,
  enumParameter,
  instantParameter,
  percentParameter,
  query,
  requireRange,
  textParameter,
  vendorIdParameter,
} from '../../validation/query.ts';
import { list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { facetsResponse } from '../responses/review-facets.ts';
import { offerForReview, offerForReviewResponse } from '../responses/offer-for-review.ts';
import { queuedOffer, queuedOfferResponse, targetStart } from '../responses/queued-offer.ts';
import { operatorVariantResponse } from '../responses/variant.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';

const percentText = 'In percent of the live price, by net amounts, with at most two decimals.';
const awaitingText = 'RFC 3339 with a time and an offset or `Z`.';

export const candidatesResponse = pageOf(
  titled('OfferCandidate', {
    variant: described(operatorVariantResponse, 'The variant.'),
    matches: list(
      v.picklist(candidateMatches),
      "What offer and variant have in common. `ProductName`: all words of the offer's name.",
      ['Barcode', 'Brand'],
    ),
  }),
);

type Awaiting = { readonly from: string | null; readonly to: string | null };

/** The part of a range that ends before an instant, if one is given. */
const upTo = ({ from, to }: Awaiting, end: Date | false | null): Awaiting =>
  end instanceof Date && (to === null || Date.parse(to) > end.getTime())
    ? { from, to: end.toISOString() }
    : { from, to };

/** Every vendor's offers as reviewers read them, and the variants that one may be of. */
export const operatorReviewQueueRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists, largePriceChangePercent, reviewTargetHours } = dependencies;
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  route({
    at: 'GET /operator/v1/offers',
    operationId: 'listOffersForReview',
    summary: 'List offers, longest waiting first',
    description:
      'Lists the offers of every vendor, the longest waiting first. With `awaitingDecision=true` ' +
      'it is the review queue. `flag`, `q`, `barcode` and, in the queue, `brand` look at ' +
      `${scannedMax} offers at most.`,
    query: query({
      status: enumParameter(offerStatuses, 'Only offers in this status.', 'PendingReview'),
      vendorId: vendorIdParameter,
      awaitingDecision: booleanParameter(
        'Only offers that wait for a reviewer (`true`), or only the others (`false`).',
        'true',
      ),
      kind: enumParameter(
        reviewKinds,
        'Only offers that wait for this kind of decision.',
        'StagedPrice',
      ),
      flag: enumParameter(
        reviewFlags,
        'Only waiting offers with this warning.',
        'DuplicateOfVendor',
      ),
      q: described(
        v.optional(filledText(100)),
        'Only waiting offers that have all of these words in external id, SKU or names, also those ' +
          'of the match. The beginning of a word is enough. Case, accents, forms of Arabic ' +
          'letters, the Arabic article and scripts of digits make no difference.',
        sample.brand,
      ),
      barcode: described(
        v.optional(barcode),
        'Only offers with this GTIN-8, -12, -13 or -14. Leading zeros make no difference.',
        sample.barcode,
      ),
      vendorExternalId: textParameter(
        255,
        'Only offers with exactly this external id. What cannot be seen in it is ignored.',
        sample.vendorExternalId,
      ),
      code: textParameter(
        255,
        'Only offers with exactly this external id, `vendorSku` or barcode. What cannot be seen ' +
          'in it is ignored.',
        sample.vendorSku,
      ),
      brand: textParameter(
        255,
        "Only offers of this brand: the match's, or without one `rawBrandName`. Letter case, accents " +
          'and forms of Arabic letters make no difference.',
        sample.brand,
      ),
      priceChangeMinPercent: percentParameter(
        `Only offers whose staged price changes the live one by this or more. ${percentText}`,
        '-5',
      ),
      priceChangeMaxPercent: percentParameter(
        `Only offers whose staged price changes the live one by this or less. ${percentText}`,
        '5',
      ),
      awaitingFrom: instantParameter(
        `Only offers that wait since this instant or later. ${awaitingText}`,
        '2026-11-01T00:00:00Z',
      ),
      awaitingTo: instantParameter(
        `Only offers that wait since this instant or earlier. ${awaitingText}`,
        '2026-11-30T23:59:59Z',
      ),
      overTarget: booleanParameter(
        '`true`: only offers that wait longer than `REVIEW_TARGET_HOURS`; none without a target.',
        'true',
      ),
      order: enumParameter(
        ['oldest', 'vendorsInTurn'],
        '`vendorsInTurn`: only waiting offers, the first of each vendor, then the second, and so ' +
          `on, at most ${scannedMax} of each. Later pages are empty.`,
        'oldest',
      ),
      facets: booleanParameter(
        'Whether to count the waiting offers of the list in `details.facets`.',
        'true',
      ),
    }),
    payload: pageOf(queuedOfferResponse),
    facets: facetsResponse,
    handler: async ({ query: asked, page }) => {
      const { q: text, order, facets, overTarget, ...filters } = asked;
      const from = targetStart(reviewTargetHours);
      const { priceChangeMinPercent, priceChangeMaxPercent, awaitingFrom, awaitingTo } = asked;
      const priceChange = { from: priceChangeMinPercent, to: priceChangeMaxPercent };
      const awaiting = { from: awaitingFrom, to: awaitingTo };
      requireRange(awaiting.from, awaiting.to, ['awaitingFrom', 'awaitingTo']);
      const filter = {
        ...filters,
        text,
        priceChange,
        awaiting: upTo(awaiting, overTarget && (from ?? new Date(0))),
      };
      const found = await listOffersForReview(lists, filter, page, {
        isInTurn: order === 'vendorsInTurn',
        hasFacets: facets === true,
        largeChangePercent: largePriceChangePercent,
        targetHours: reviewTargetHours,
      });
      const ids = found.items.map(({ id }) => id);
      const viewers = await listViewers(lists, ids);
      return mapItems(found, (queued) =>
        queuedOffer(queued, viewers.get(queued.id) ?? [], dependencies),
      );
    },
  });
  route({
    at: 'GET /operator/v1/offers/:id',
    operationId: 'getOfferForReview',
    summary: 'Read an offer',
    description:
      'Reads one offer of any vendor with every fact of a decision: vendor, variant, warnings, ' +
      'prices with margin, other offers for the variant, what was approved before and what ' +
      "differs, earlier decisions, and a link to its review's history. The other operators' " +
      '`viewers` have you for five minutes, unless `opens=false`.',
    query: query({
      opens: booleanParameter(
        '`false`: the read does not note that you have the offer open.',
        'false',
      ),
    }),
    payload: offerForReviewResponse,
    notFound,
    handler: async ({ id, query: { opens }, caller }) => {
      const found = await findOfferForReview(sql, id, dependencies);
      const offer = orNotFound(found, notFound);
      const all =
        opens === false
          ? ((await listViewers(lists, [id])).get(id) ?? [])
          : await recordViewer(sql, { offerId: id, operatorId: caller.id });
      const viewers = all.filter(({ operatorId }) => operatorId !== caller.operatorId);
      return offerForReview({ ...offer, viewers }, dependencies);
    },
  });
  route({
    at: 'GET /operator/v1/offers/:id/candidates',
    operationId: 'listOfferCandidates',
    summary: 'List the variants that an offer may be of',
    description:
      'Lists active variants for the match of an offer, the likeliest first, each with what it ' +
      'has in common with the offer: the same barcode first, then brand and product name. Of a ' +
      'large catalogue the list has the best, at most 400.',
    payload: candidatesResponse,
    notFound,
    handler: ({ id, page }) =>
      onSnapshot(sql, async (snapshot) => {
        const offer = orNotFound(await findAnyOffer(snapshot, id), notFound);
        const ranked = rankCandidates(offer, await findCandidates(snapshot, offer));
        const first = (page.page - 1) * page.pageSize;
        return { items: ranked.slice(first, first + page.pageSize), totalCount: ranked.length };
      }),
  });
};
