import * as v from 'valibot';
import type { ItemOutcome } from '../../../commands/offers/push-items.ts';
import { errorCatalogue, type Failure, type FieldError } from '../../../domain/errors.ts';
import type { OfferName } from '../../../domain/offers/offer.ts';
import { firstCharacters } from '../../../domain/texts/first-characters.ts';
import { described } from '../../validation/described.ts';
import { isUuid, storableText } from '../../validation/fields.ts';
import { longListItem } from '../../validation/json-schema.ts';
import { field, list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

const ofNoOffer = 'without an offer of yours, what the item has sent, or null.';

/** An item has fewer fields. More errors would let a body of 1 MiB cause a response of many. */
export const itemErrorsMax = 10;

const itemResult = longListItem(
  titled('BulkPushResult', {
    index: field.integer('The position of the item in `items`, counted from 0.', 0),
    httpStatus: field.integer('The status that the single push would return.', 200),
    state: field.text('`SUCCESS`, or the error code that the single push would return.', 'SUCCESS'),
    offerId: field.idOrNull(`The offer's id; ${ofNoOffer}`, sample.offerId),
    vendorExternalId: field.textOrNull(
      `The offer's \`vendorExternalId\`; null if it has none, and ${ofNoOffer}`,
      sample.vendorExternalId,
    ),
    version: field.integerOrNull("The offer's version after the push; null on an error.", 8),
    details: described(
      v.record(v.string(), v.unknown()),
      "The error's details; `{}` when there is nothing to add. In `errors`, `field` and `path` " +
        'include the position of the item, `Items[3].OfferId` at `/items/3/offerId`; an item has at ' +
        'most 10 entries.',
      {},
    ),
  }),
);

/** The payload of a bulk call: one result for each item, in the order of the items. */
export const bulkResponse = titled('BulkPushResults', {
  results: list(itemResult, 'One result for each item, in the order of `items`.'),
  counts: described(
    titled('BulkPushCounts', {
      succeeded: field.integer('The number of items with the state `SUCCESS`.', 1),
      failed: field.integer('The number of the other items.', 0),
    }),
    'How many items succeeded and failed.',
  ),
});

/** Characters of a vendorExternalId. */
const externalIdMax = 255;

/** The ids that an item names, as far as a result can hold them. */
export function sentName(sent: unknown): OfferName {
  const fields: { readonly offerId?: unknown; readonly vendorExternalId?: unknown } =
    typeof sent === 'object' && sent !== null ? sent : {};
  const { offerId, vendorExternalId } = fields;
  return {
    offerId: typeof offerId === 'string' && isUuid(offerId) ? offerId.toLowerCase() : null,
    vendorExternalId:
      typeof vendorExternalId === 'string' && vendorExternalId.trim() !== ''
        ? storableText(firstCharacters(vendorExternalId, externalIdMax))
        : null,
  };
}

/** A field of the item's own as a field of the call's body. */
const withIndex =
  (index: number) =>
  ({ field, path, ...rest }: FieldError): FieldError => ({
    field: path === '' ? `Items[${index}]` : `Items[${index}].${field}`,
    path: `/items/${index}${path}`,
    ...rest,
  });

function detailsOf(index: number, { code, details }: Failure): Failure['details'] {
  if (code !== 'VALIDATION_ERRORS') return details;
  const errors = details['errors'] as readonly FieldError[];
  return { ...details, errors: errors.slice(0, itemErrorsMax).map(withIndex(index)) };
}

function toResult(
  { index, offer, pushed }: ItemOutcome,
  sent: unknown,
): v.InferInput<typeof itemResult> {
  const ids =
    offer === null
      ? sentName(sent)
      : { offerId: offer.id, vendorExternalId: offer.vendorExternalId };
  if (pushed.ok) {
    const { version } = pushed.value.after;
    return { index, httpStatus: 200, state: 'SUCCESS', ...ids, version, details: {} };
  }
  const { failure } = pushed;
  const { code: state } = failure;
  const { status: httpStatus } = errorCatalogue[state];
  return { index, httpStatus, state, ...ids, version: null, details: detailsOf(index, failure) };
}

/** The results of a bulk call, in the order of the items that were sent. */
export function toBulkResponse(
  outcomes: readonly ItemOutcome[],
  sent: readonly unknown[],
): v.InferInput<typeof bulkResponse> {
  const succeeded = outcomes.filter(({ pushed }) => pushed.ok).length;
  return {
    results: outcomes.map((outcome) => toResult(outcome, sent[outcome.index])),
    counts: { succeeded, failed: outcomes.length - succeeded },
  };
}
