import * as v from 'valibot';
import { normalizeEvidenceUrl } from '../../domain/returns/evidence-url.ts';
import { evidenceKinds, returnDestinations } from '../../domain/returns/return-request.ts';
import { inspectionOutcomes, returnReasons } from '../../domain/returns/return-status.ts';
import { described } from '../validation/described.ts';
import {
  boundedList,
  optionalField,
  optionalText,
  text,
  uuid,
  wholeNumber,
} from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { lineIdText, orderGlobalIdText, quantityText } from '../orders/order-texts.ts';
import { lineVendorText } from './responses/operator-return.ts';
import {
  destinationText,
  evidenceKindText,
  evidenceUrlText,
  outcomesText,
  reasonCodeText,
  staffReasonText,
} from './return-texts.ts';

const line = v.strictObject({
  lineId: described(uuid, ...lineIdText),
  quantity: described(wholeNumber(1, 1_000_000), ...quantityText),
  reasonCode: described(v.picklist(returnReasons), ...reasonCodeText),
});

/** The body of a return request that an operator creates for a customer. */
export const returnBody = v.strictObject({
  orderGlobalId: described(text(255), ...orderGlobalIdText),
  destination: described(v.picklist(returnDestinations), ...destinationText),
  vendorId: described(
    optionalField(uuid),
    `${lineVendorText[0]} Without it, the service takes the vendor from the lines.`,
    sample.vendorId,
  ),
  lines: described(
    boundedList(line, { min: 1, max: 80, what: 'lines' }),
    'The lines of the order that are returned, 1 to 80.',
  ),
});
export type ReturnBody = v.InferOutput<typeof returnBody>;

const reason = described(optionalText(4000), ...staffReasonText);
const outcome = described(v.picklist(inspectionOutcomes), outcomesText, 'AcceptedSound');

/** The body of a move by staff. */
export const returnMoveBody = v.strictObject({ reason });
export const decisionBody = v.strictObject({
  outcome,
  reason,
  expectedVersion: described(
    optionalField(wholeNumber(1, 2_147_483_647)),
    "The return's `version` as you read it: the decision is refused when the return has changed " +
      'since, such as by a proposal or evidence. Without it, no version is checked.',
    5,
  ),
});
export const proposalBody = v.strictObject({ outcome });

const evidenceUrl = v.pipe(
  text(2048),
  v.check(
    (url) => normalizeEvidenceUrl(url) !== null,
    'invalid_url: must be an absolute https URL without a user name, at most 2048 characters long',
  ),
  v.metadata({
    jsonSchema: { format: 'uri', maxLength: 2048, pattern: '^https://', 'x-pattern': undefined },
  }),
  v.transform((url) => normalizeEvidenceUrl(url) ?? url),
);
export const evidenceBody = v.strictObject({
  url: described(evidenceUrl, evidenceUrlText, sample.evidenceUrl),
  kind: described(v.picklist(evidenceKinds), ...evidenceKindText),
});
