import * as v from 'valibot';
import type { Sql } from '../../db/core/client.ts';
import { restagePrice, storeStock } from '../../db/offers/store-push.ts';
import {
  declaredPrice,
  pushPrice,
  pushStock,
  type DeclaredPrice,
} from '../../domain/offers/edit-offer.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { unwrap } from '../http/api-error.ts';
import { priceFromDeclaration } from '../../domain/vat.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { ruleSchemas } from '../validation/field-rules.ts';
import { completePush } from './change-offer.ts';
import {
  costFields,
  salePriceFields,
  stockAgrees,
  stockAgreesSchema,
  stockFields,
} from './declared-fields.ts';
import { nestedOfferResponse, toNestedOffer } from './responses/nested-offer.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';
const config = { rate: 'pushes' } as const;
/** What both price pushes do with the declared price. */
const priceEffect =
  'If the offer was ever approved, the new price is staged, and the live price stays in force ' +
  'until a reviewer applies or discards the staged one; otherwise it is live at once. Repeating ' +
  'the push changes nothing. Pushing the live price again drops the staged price. On a ' +
  '`Rejected` or `PendingRepricing` offer a push sends the offer back to review, which requires ' +
  'a barcode on the offer. All pushes of a vendor share one rate limit, apart from other ' +
  'calls.';

/** The body of a stock push. */
export const stockBody = v.pipe(
  v.strictObject(stockFields),
  stockAgrees(),
  ruleSchemas(stockAgreesSchema),
);

/** The cost push and the sale-price push: each belongs to one pricing model. */
export const vendorPricePushRoutes: AddRoutes = (app, { vatRateBasisPoints }) => {
  const route = vendorRoutes(app, { capability: 'Cost', tag: 'Offers' });
  const push = async (
    sql: Sql,
    { vendorId }: VendorCaller,
    offerId: string,
    declared: DeclaredPrice,
  ) => {
    const key = { vendorId, offerId };
    const { amountHalalas, isVatInclusive } = declared.declared;
    const price = priceFromDeclaration(amountHalalas, isVatInclusive, vatRateBasisPoints);
    const { field } = declared;
    const pushed = await restagePrice(sql, key, field, price);
    const changed = await completePush(sql, key, pushed, (offer, now) =>
      pushPrice(offer, declared, { vatRateBasisPoints, now }),
    );
    return toNestedOffer(unwrap(changed));
  };
  const responses = {
    config,
    validateOnly: 'call',
    payload: nestedOfferResponse,
    notFound,
    refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
  } as const;
  route({
    at: 'PATCH /api/v1/scent/offers/:id/cost',
    operationId: 'pushCost',
    summary: 'Push a cost',
    description:
      'Declares a new cost and changes nothing else. It requires an agreement of the model ' +
      `\`CostPlusMargin\`. A staged cost shows as \`cost.pending\`. ${priceEffect}`,
    body: v.strictObject(costFields),
    ...responses,
    handler: ({ sql, caller, id, body: { cost, costIsVatInclusive } }) =>
      push(sql, caller, id, declaredPrice('cost', cost, costIsVatInclusive)),
  });
  route({
    at: 'PATCH /api/v1/scent/offers/:id/sale-price',
    operationId: 'pushSalePrice',
    summary: 'Push a sale price',
    description:
      'Declares a new sale price, which includes the whole commission, and changes nothing ' +
      'else. It requires an agreement of the model `PercentageOfSale`. A staged sale price ' +
      `shows as \`price.pending\`. ${priceEffect}`,
    body: v.strictObject(salePriceFields),
    ...responses,
    handler: ({ sql, caller, id, body: { salePrice, salePriceIsVatInclusive } }) =>
      push(sql, caller, id, declaredPrice('salePrice', salePrice, salePriceIsVatInclusive)),
  });
};

/** The stock push: stores the offer and its supply option at once, in one round trip. */
export const vendorStockPushRoute: AddRoutes = (app) => {
  const route = vendorRoutes(app, { capability: 'Stock', tag: 'Offers' });
  route({
    at: 'PATCH /api/v1/scent/offers/:offerId/stock',
    operationId: 'pushStock',
    summary: 'Push stock',
    description:
      'Declares stock. It takes effect at once, without a review, on the offer and its supply ' +
      'option. It works on all your offers and never changes a status. Out of stock requires a ' +
      'quantity of 0 or none; in stock requires a quantity above 0 or none. In stock without a ' +
      'quantity keeps a stored quantity above 0; otherwise the quantity becomes unknown. ' +
      'Repeating the push changes nothing. A `Rejected` offer requires a barcode on the offer. ' +
      'All pushes of a vendor share one rate limit, apart from other calls.',
    config,
    validateOnly: 'call',
    body: stockBody,
    payload: nestedOfferResponse,
    notFound,
    handler: async ({ caller: { vendorId }, id: offerId, body, sql }) => {
      const key = { vendorId, offerId };
      const pushed = await storeStock(sql, key, body);
      const changed = await completePush(sql, key, pushed, (offer, now) =>
        pushStock(offer, body, now),
      );
      return toNestedOffer(unwrap(changed));
    },
  });
};
