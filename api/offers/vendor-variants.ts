import * as v from 'valibot';
import { listActiveVariants } from '../../db/offers/variants.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { barcode, filledText } from '../validation/fields.ts';
import { pageParameters, query } from '../validation/query.ts';
import { sample } from '../validation/sample.ts';
import { catalogVariantResponse } from './responses/variant.ts';

/** The active variants of the catalogue, where vendors find the `variantId` of an offer. */
export const vendorVariantRoute: AddRoutes = (app, { lists }) => {
  vendorRoutes(app, { capability: 'Offers', tag: 'Offers' })(
    'GET /api/v1/scent/variants',
    {
      operationId: 'searchVariants',
      summary: 'Find the variant of an offer',
      description:
        'Lists the active variants of the catalogue, newest first: all of them, those with a ' +
        'barcode, or those with the words of a text. An offer that names its variant ' +
        '(`variantId`) needs no match by a reviewer, only the approval.',
      query: query({
        ...pageParameters,
        barcode: described(
          v.optional(barcode),
          'Only variants with this GTIN-8, -12, -13 or -14. Leading zeros make no difference.',
          sample.barcode,
        ),
        q: described(
          v.optional(filledText(100)),
          'Only variants that have all of these words in brand, product name, concentration or ' +
            'SKU. The beginning of a word is enough. Case and accents make no difference.',
          `${sample.brand} ${sample.product}`,
        ),
      }),
      payload: pageOf(catalogVariantResponse),
    },
    async ({ query: { barcode: wanted, q, ...page } }) =>
      pagePayload(
        await listActiveVariants(lists, { barcode: wanted, text: q }, page),
        page,
        ({ isActive: _isActive, ...variant }) => variant,
      ),
  );
};
