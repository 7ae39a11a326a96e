import * as v from 'valibot';
import type { OfferName } from '../../../domain/offers/offer.ts';
import { described } from '../../validation/described.ts';
import { isPresent, nothing, presenceRule, ruleSchemas } from '../../validation/field-rules.ts';
import { optionalField, text, uncheckedList, uuid } from '../../validation/fields.ts';
import { jsonSchemaOf } from '../../validation/json-schema.ts';
import { sample } from '../../validation/sample.ts';
import {
  costFields,
  salePriceFields,
  stockAgrees,
  stockAgreesSchema,
  stockFields,
} from '../declared-fields.ts';

const itemsMax = 1000;

export const nameFields = {
  offerId: described(
    optionalField(uuid),
    'The id of one of your offers. Send either this or `vendorExternalId`.',
    sample.offerId,
  ),
  vendorExternalId: described(
    optionalField(text(255)),
    'Your own id of an offer that you submitted through this API. Send either this or `offerId`.',
    null,
  ),
};

/** Exactly one of the two ids names the offer. */
const namesAnOffer = <TItem extends Record<string, unknown> & OfferName>() =>
  presenceRule<TItem>(
    'offerId',
    'required: is required unless vendorExternalId is sent',
    (item) => isPresent(item.offerId) || isPresent(item.vendorExternalId),
  );
const namesItOnce = <TItem extends Record<string, unknown> & OfferName>() =>
  presenceRule<TItem>(
    'vendorExternalId',
    'clashes_with_offer_id: must not be sent together with offerId',
    (item) => !isPresent(item.offerId) || !isPresent(item.vendorExternalId),
  );
const nameSchema = {
  oneOf: [
    {
      required: ['offerId'],
      properties: { offerId: { not: nothing }, vendorExternalId: nothing },
    },
    {
      required: ['vendorExternalId'],
      properties: { offerId: nothing, vendorExternalId: { not: nothing } },
    },
  ],
};

/** An item of a bulk call or a job: the name of an offer and the fields of the single push. */
export const stockItem = v.pipe(
  v.strictObject({ ...nameFields, ...stockFields }),
  namesAnOffer(),
  namesItOnce(),
  stockAgrees(),
  ruleSchemas(nameSchema, stockAgreesSchema),
  v.title('StockPushItem'),
);
export const costItem = v.pipe(
  v.strictObject({ ...nameFields, ...costFields }),
  namesAnOffer(),
  namesItOnce(),
  ruleSchemas(nameSchema),
  v.title('CostPushItem'),
);
export const salePriceItem = v.pipe(
  v.strictObject({ ...nameFields, ...salePriceFields }),
  namesAnOffer(),
  namesItOnce(),
  ruleSchemas(nameSchema),
  v.title('SalePricePushItem'),
);

/** The body of a bulk call. Each item is checked separately, so the schema allows any item. */
export const bulkBody = (item: v.GenericSchema) =>
  v.strictObject({
    items: described(
      uncheckedList(jsonSchemaOf(item), { min: 1, max: itemsMax, what: 'items' }),
      'The pushes, 1 to 1,000. Each is checked separately: a malformed one is an error in its ' +
        'own result and does not stop the others.',
    ),
  });
