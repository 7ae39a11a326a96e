import * as v from 'valibot';
import { onSnapshot } from '../../../db/core/transaction.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { findCandidates } from '../../../db/offers/variants.ts';
import { candidateMatches, rankCandidates } from '../../../domain/offers/rank-candidates.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { orNotFound } from '../../http/api-error.ts';
import { pageOf, pagePayload } from '../../http/envelope.ts';
import { described } from '../../validation/described.ts';
import { pageParameters, query } from '../../validation/query.ts';
import { titled } from '../../validation/response-parts.ts';
import { operatorVariantResponse } from '../responses/variant.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';

export const candidatesResponse = pageOf(
  titled('OfferCandidate', {
    variant: described(operatorVariantResponse, 'The variant.'),
    matches: described(
      v.array(v.picklist(candidateMatches)),
      "What offer and variant have in common. `ProductName`: all words of the offer's name.",
      ['Barcode', 'Brand'],
    ),
  }),
);

/** The variants that an offer may be of. */
export const operatorCandidatesRoute: AddRoutes = (app, { sql }) => {
  operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' })(
    'GET /operator/v1/offers/:id/candidates',
    {
      operationId: 'listOfferCandidates',
      summary: 'List the variants that an offer may be of',
      description:
        'Lists active variants for the match of an offer, the likeliest first, each with what it ' +
        'has in common with the offer: the same barcode first, then brand and product name. Of a ' +
        'large catalogue the list has the best, at most 400.',
      query: query(pageParameters),
      payload: candidatesResponse,
      notFound,
    },
    ({ id, query: page }) =>
      onSnapshot(sql, async (snapshot) => {
        const offer = orNotFound(await findAnyOffer(snapshot, id), notFound);
        const ranked = rankCandidates(offer, await findCandidates(snapshot, offer));
        const first = (page.page - 1) * page.pageSize;
        const items = ranked.slice(first, first + page.pageSize);
        return pagePayload({ items, totalCount: ranked.length }, page, ({ variant, matches }) => ({
          variant,
          matches: [...matches],
        }));
      }),
  );
};
