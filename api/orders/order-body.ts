import * as v from 'valibot';
import { carriers } from '../../domain/orders/fulfilment-group.ts';
import { isPresent, presenceRule, rule } from '../validation/field-rules.ts';
import {
  boundedList,
  filledText,
  optionalField,
  optionalText,
  uuid,
  wholeNumber,
} from '../validation/fields.ts';
import { nameOfOtherOnly, ruleSchemas, sourcingHasNoVendor } from '../validation/rule-schemas.ts';

const shipTo = v.strictObject({
  recipient: filledText(255),
  line1: filledText(255),
  line2: optionalText(255),
  city: filledText(255),
  region: optionalText(255),
  postalCode: optionalText(50),
  country: filledText(100),
  phone: filledText(50),
});

const groupEntries = {
  vendorId: optionalField(uuid),
  sourcing: optionalField(v.boolean()),
  carrier: v.picklist(carriers),
  carrierNameOther: optionalText(255),
  /** So many that the event of a group stays within 64 KiB, whatever its skus. */
  lines: boundedList(v.strictObject({ variantId: uuid, quantity: wholeNumber(1, 1_000_000) }), {
    min: 1,
    max: 80,
    what: 'lines',
  }),
};
const group = v.strictObject(groupEntries);
type Group = v.InferOutput<typeof group>;

const judgedGroup = v.pipe(
  group,
  presenceRule<Group>(
    'vendorId',
    'clashes_with_sourcing: a group that waits for a source has no vendor yet',
    ({ vendorId, sourcing }) => sourcing !== true || !isPresent(vendorId),
  ),
  rule<Group>(
    ['carrier', 'carrierNameOther'],
    'carrierNameOther',
    'not_allowed: goes with the carrier Other only',
    ({ carrier, carrierNameOther }) => carrier === 'Other' || carrierNameOther === null,
  ),
  ruleSchemas(nameOfOtherOnly, sourcingHasNoVendor),
);

/** The body of an order: where it goes, and in which groups. */
export const orderBody = v.strictObject({
  shipTo,
  groups: boundedList(judgedGroup, { min: 1, max: 50, what: 'groups' }),
});
export type OrderBody = v.InferOutput<typeof orderBody>;
