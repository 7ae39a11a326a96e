import { listVariants } from '../../db/offers/variants.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { pageOf } from '../http/envelope.ts';
import { query } from '../validation/query.ts';
import { catalogVariantResponse } from './responses/variant.ts';
import { variantSearchParameters } from './variant-search.ts';

/** The active variants of the catalogue, where vendors find the `variantId` of an offer. */
export const vendorVariantRoute: AddRoutes = (app, { environment, lists }) => {
  vendorRoutes(app, { capability: 'Offers', tag: 'Offers' })({
    at: 'GET /api/v1/scent/variants',
    operationId: 'searchVariants',
    summary: 'Find the variant of an offer',
    description:
      'Lists the active variants of the catalogue, newest first: all of them, those with a ' +
      'barcode, or those with the words of a text. An offer that names its variant ' +
      '(`variantId`) needs no match by a reviewer, only the approval.',
    query: query(variantSearchParameters),
    payload: pageOf(catalogVariantResponse),
    handler: ({ caller, query: { barcode, q }, page }) => {
      // Only in a sandbox a variant is a vendor's.
      const vendorId = environment === 'Sandbox' ? caller.vendorId : null;
      return listVariants(lists, { barcode, text: q, isActive: true, vendorId }, page);
    },
  });
};
