import * as v from 'valibot';
import { fieldError, invalid } from '../../domain/errors.ts';
import { jobItemsMax } from '../../domain/jobs/job.ts';
import {
  reviewJobActions,
  type ReviewJobAction,
  type ReviewJobItem,
} from '../../domain/jobs/review-job.ts';
import { itemErrorsMax } from '../offers/bulk/bulk-results.ts';
import {
  expectedVersion,
  judgedVersion,
  optionalReason,
  variantId,
} from '../offers/operators/review-fields.ts';
import { largeCallPauses } from '../http/large-call-pauses.ts';
import { parseBody } from '../validation/compiler.ts';
import { described } from '../validation/described.ts';
import { optionalField, uncheckedList, uuid } from '../validation/fields.ts';
import { crossFieldRule, isPresent, nothing, ruleSchemas } from '../validation/field-rules.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { sample } from '../validation/sample.ts';
import { storableFailure } from './storable-errors.ts';

const offerId = described(uuid, "The offer's id.", sample.offerId);

/** The fields of the single call's body, without its reason, and the offer. */
const items = {
  approve: v.strictObject({ offerId, expectedVersion: judgedVersion, variantId }),
  reject: v.strictObject({ offerId, expectedVersion }),
  apply: v.strictObject({ offerId, expectedVersion: judgedVersion }),
  discard: v.strictObject({ offerId, expectedVersion }),
} as const satisfies Record<ReviewJobAction, v.GenericSchema>;

/** The body of a review job. Each item is checked separately, so the schema allows any item. */
export const reviewJobBody = v.pipe(
  v.strictObject({
    action: described(
      v.picklist(reviewJobActions),
      'What each item does: the decision of its single call.',
      'apply',
    ),
    reason: described(
      optionalReason,
      'The reason of each decision, which the vendors read. Required to reject, not allowed to ' +
        'approve.',
      'The new price list was agreed.',
    ),
    items: described(
      uncheckedList(
        { title: 'ReviewJobItem', ...jsonSchemaOf(items.approve) },
        { min: 1, max: jobItemsMax, what: 'items' },
      ),
      'The items, 1 to 10,000. Each is checked separately: a malformed one, or a second one for ' +
        'its offer, is an error in its own result. Only `approve` has a `variantId`; `reject` ' +
        'and `discard` may omit `expectedVersion`.',
    ),
  }),
  crossFieldRule(
    ['action', 'reason'],
    'reason',
    'reason_mismatch: is required to reject and not allowed to approve',
    ({ action, reason }) => (isPresent(reason) ? action !== 'approve' : action !== 'reject'),
  ),
  ruleSchemas({
    anyOf: [
      { properties: { action: { enum: ['apply', 'discard'] } } },
      { properties: { action: { const: 'approve' }, reason: nothing } },
      {
        required: ['reason'],
        properties: { action: { const: 'reject' }, reason: { type: 'string', pattern: '\\S' } },
      },
    ],
  }),
);

const namedOffer = v.object({ offerId: optionalField(uuid) });

/** The offer that an item names; none if the name is malformed. */
function offerIdOf(sent: unknown): string | null {
  const parsed = v.safeParse(namedOffer, sent);
  return parsed.success ? parsed.output.offerId : null;
}

/** Parses an item by the schema of its action. A malformed item is returned as its failure. */
function parseItem(action: ReviewJobAction, sent: unknown): ReviewJobItem {
  const schema: (typeof items)[ReviewJobAction] = items[action];
  const { output, errors } = parseBody(schema, sent, itemErrorsMax);
  return output === null
    ? { type: 'malformed', offerId: offerIdOf(sent), failure: storableFailure(errors) }
    : { type: 'decision', variantId: null, ...output };
}

/** The number of items that are parsed without a pause, in about a millisecond. */
const parsedAtOnce = 50;

/**
 * Items as they are stored. The second item of an offer is stored as its failure. Other calls run
 * in the pauses.
 */
export async function parseReviewItems(
  action: ReviewJobAction,
  sent: readonly unknown[],
): Promise<readonly ReviewJobItem[]> {
  const firstOf = new Map<string, number>();
  const parse = (each: unknown, index: number): ReviewJobItem => {
    const item = parseItem(action, each);
    if (item.type === 'malformed') return item;
    const { offerId: named } = item;
    const first = firstOf.get(named);
    if (first === undefined) {
      firstOf.set(named, index);
      return item;
    }
    const error = fieldError('offerId', 'duplicate', `names the offer of items[${first}] again`);
    return { type: 'malformed', offerId: named, failure: invalid(error).failure };
  };
  const parsed: ReviewJobItem[] = [];
  const pause = largeCallPauses();
  for (const [index, each] of sent.entries()) {
    parsed.push(parse(each, index));
    if (parsed.length % parsedAtOnce === 0) await pause();
  }
  return parsed;
}
