import type * as v from 'valibot';
import type { JobKind } from '../../domain/jobs/job.ts';
import { costItem, salePriceItem, stockItem } from '../offers/bulk/bulk-body.ts';
import { createOfferBody } from '../offers/create-offer-body.ts';
import { updateOfferBody } from '../offers/update-offer-body.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';

const fieldsOf = (schema: v.GenericSchema): readonly string[] =>
  Object.keys(jsonSchemaOf(schema).properties ?? {});

const fields: Readonly<Record<JobKind, ReadonlySet<string>>> = {
  createOffers: new Set(fieldsOf(createOfferBody)),
  updateOffers: new Set(['offerId', ...fieldsOf(updateOfferBody)]),
  pushCosts: new Set(fieldsOf(costItem)),
  pushSalePrices: new Set(fieldsOf(salePriceItem)),
  pushStocks: new Set(fieldsOf(stockItem)),
};

/** The fields of an item of a kind: what the columns of a file may be. */
export const fieldsOfKind = (kind: JobKind): ReadonlySet<string> => fields[kind];
