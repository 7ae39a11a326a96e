import * as v from 'valibot';
import type { FieldError } from '../../domain/errors.ts';
import type { JobKind } from '../../domain/jobs/job.ts';
import type { JobItem } from '../../domain/jobs/job-item.ts';
import { declaredPrice } from '../../domain/offers/edit-offer.ts';
import { costItem, nameFields, salePriceItem, stockItem } from '../offers/bulk/bulk-body.ts';
import { itemErrorsMax, sentName } from '../offers/bulk/bulk-results.ts';
import { createOfferBody, declarationOf } from '../offers/create-offer-body.ts';
import {
  isInvalidOlderForm,
  malformedFields,
  offerEditOf,
  updateOfferBody,
} from '../offers/update-offer-body.ts';
import { parseBody } from '../validation/compiler.ts';
import { fieldEntry } from '../validation/field-errors.ts';
import { storableErrors, storableFailure } from './storable-errors.ts';

/** An item that could not be read from a body, with the fields that could be read. */
export class UnreadableItem {
  readonly errors: readonly FieldError[];
  readonly fields: Readonly<Record<string, unknown>>;
  constructor(errors: readonly FieldError[], fields: Readonly<Record<string, unknown>> = {}) {
    this.errors = errors;
    this.fields = fields;
  }
}

const malformed = (errors: readonly FieldError[], sent: unknown): JobItem => ({
  type: 'malformed',
  failure: storableFailure(errors),
  name: sentName(sent),
});

/** Parses an item by its schema; `toItem` gets a well-formed one. */
const parserOf =
  <TSchema extends v.GenericSchema>(
    schema: TSchema,
    toItem: (item: v.InferOutput<TSchema>) => JobItem,
  ) =>
  (sent: unknown): JobItem => {
    const { output, errors } = parseBody(schema, sent, itemErrorsMax);
    return output === null ? malformed(errors, sent) : toItem(output);
  };

const editName = v.object(nameFields);
const noName = fieldEntry(
  ['offerId'],
  'required',
  'is required unless vendorExternalId names the offer',
);

/**
 * Returns the name that an edit gives its offer: its id, else its vendorExternalId. `errors` are
 * those that the body of update-offer does not have.
 */
function editNameOf(offerId: unknown, vendorExternalId: unknown) {
  if (offerId !== undefined && offerId !== null) {
    const { output, errors } = parseBody(editName, { offerId });
    const name = { offerId: output?.offerId ?? null, vendorExternalId: null };
    return { name, isWellFormed: output !== null, errors };
  }
  if (typeof vendorExternalId !== 'string' || vendorExternalId.trim() === '') {
    const name = { offerId: null, vendorExternalId: null };
    return { name, isWellFormed: false, errors: [noName] };
  }
  const { output } = parseBody(editName, { vendorExternalId });
  const name = { offerId: null, vendorExternalId };
  return { name, isWellFormed: output !== null, errors: [] };
}

/** Parses an edit: the body of update-offer, and the name of its offer. */
function parseEdit(sent: unknown): JobItem {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return malformed(parseBody(updateOfferBody, sent).errors, sent);
  const { offerId, ...body } = sent as Readonly<Record<string, unknown>>;
  const { name, isWellFormed, errors: nameErrors } = editNameOf(offerId, body['vendorExternalId']);
  const { output, errors } = parseBody(updateOfferBody, body, itemErrorsMax);
  if (isWellFormed && errors.length > 0 && isInvalidOlderForm(body)) {
    return {
      type: 'malformedOlderForm',
      name,
      failure: storableFailure(errors),
      malformed: storableErrors(malformedFields(body)),
    };
  }
  return output === null || !isWellFormed
    ? malformed([...nameErrors, ...errors], sent)
    : { type: 'edit', name, edit: offerEditOf(output) };
}

/** How the items of each kind are parsed: as the body of the single call. */
const parsers: Readonly<Record<JobKind, (sent: unknown) => JobItem>> = {
  createOffers: parserOf(createOfferBody, (body) => ({
    type: 'create',
    declaration: declarationOf(body),
  })),
  updateOffers: parseEdit,
  pushCosts: parserOf(costItem, ({ cost, costIsVatInclusive, ...name }) => ({
    type: 'price',
    name,
    price: declaredPrice('cost', cost, costIsVatInclusive),
  })),
  pushSalePrices: parserOf(salePriceItem, ({ salePrice, salePriceIsVatInclusive, ...name }) => ({
    type: 'price',
    name,
    price: declaredPrice('salePrice', salePrice, salePriceIsVatInclusive),
  })),
  pushStocks: parserOf(stockItem, ({ declaredInStock, declaredStockQuantity, ...name }) => ({
    type: 'stock',
    name,
    stock: { declaredInStock, declaredStockQuantity },
  })),
};

/** Returns an item as it is stored. A malformed item is stored as its failure. */
export const parseJobItem = (kind: JobKind, sent: unknown): JobItem =>
  sent instanceof UnreadableItem ? malformed(sent.errors, sent.fields) : parsers[kind](sent);
