import { described } from '../../validation/described.ts';
import {
  filledText,
  optionalField,
  optionalText,
  uuid,
  wholeNumber,
} from '../../validation/fields.ts';
import { sample } from '../../validation/sample.ts';

/** The fields of reviewers' decisions, in single calls and in the items of jobs. */

const version = wholeNumber(1, 2_147_483_647);
const versionText =
  "The offer's `reviewVersion` as you read it: the decision is refused when what you judge has " +
  'changed since.';
export const judgedVersion = described(version, versionText, 3);
export const expectedVersion = described(
  optionalField(version),
  `${versionText} Without it, no version is checked.`,
  3,
);
export const variantId = described(
  optionalField(uuid),
  'The active variant to match the offer to, required from `PendingMatch`. Without it, the ' +
    'proposed match stays.',
  sample.variantId,
);
const reasonText = [
  'The reason. The vendor reads it.',
  'The bottle on the photo is not the one described.',
] as const;
export const reason = described(filledText(4000), ...reasonText);
export const optionalReason = described(optionalText(4000), ...reasonText);
