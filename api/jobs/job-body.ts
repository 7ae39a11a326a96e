import * as v from 'valibot';
import { jobItemsMax, jobKinds } from '../../domain/jobs/job.ts';
import { costItem, salePriceItem, stockItem } from '../offers/bulk/bulk-body.ts';
import { createOfferBody } from '../offers/create-offer-body.ts';
import { described } from '../validation/described.ts';
import { uncheckedList } from '../validation/fields.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';

/** 8 MiB. */
export const jobBytesMax = 8 * 1024 * 1024;

/** The media type of a job's body, beside JSON. */
export const csvType = 'text/csv';

export const kindText = [
  'What each item is: the body of createOffer or of updateOffer, or an item of a bulk push.',
  'createOffers',
] as const;

/** The body of a job. Each item is checked separately, so the schema allows any item. */
export const jobBody = v.strictObject({
  kind: described(v.picklist(jobKinds), ...kindText),
  items: described(
    uncheckedList(
      {
        title: 'JobItem',
        anyOf: [
          { title: 'CreateOfferRequest', ...jsonSchemaOf(createOfferBody) },
          jsonSchemaOf(stockItem),
          jsonSchemaOf(costItem),
          jsonSchemaOf(salePriceItem),
          {
            title: 'OfferEditItem',
            type: 'object',
            description: 'The body of updateOffer, with `offerId`.',
          },
        ],
      },
      { min: 1, max: jobItemsMax, what: 'items' },
    ),
    'The items, 1 to 10,000. Each is checked separately: a malformed one is an error in its own ' +
      'result. An edit names its offer by `offerId`, or without it by its `vendorExternalId`.',
  ),
});
