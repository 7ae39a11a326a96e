import * as v from 'valibot';
import { carriers } from '../../domain/orders/fulfilment-group.ts';
import { isPresent, nothing, presenceRule, ruleSchemas } from '../validation/field-rules.ts';
import { described } from '../validation/described.ts';
import {
  boundedList,
  filledText,
  optionalField,
  optionalText,
  uuid,
  wholeNumber,
} from '../validation/fields.ts';
import {
  addressText,
  carrierText,
  groupVendorText,
  lineVariantText,
  quantityText,
} from './order-texts.ts';
import { carrierNameRules, carrierWithoutName } from './shipping-fields.ts';

const shipTo = v.strictObject({
  recipient: described(filledText(255), ...addressText.recipient),
  line1: described(filledText(255), ...addressText.line1),
  line2: described(optionalText(255), ...addressText.line2),
  city: described(filledText(255), ...addressText.city),
  region: described(optionalText(255), ...addressText.region),
  postalCode: described(optionalText(50), ...addressText.postalCode),
  country: described(filledText(100), ...addressText.country),
  phone: described(filledText(50), ...addressText.phone),
});

const line = v.strictObject({
  variantId: described(uuid, ...lineVariantText),
  quantity: described(wholeNumber(1, 1_000_000), ...quantityText),
});
const group = v.strictObject({
  vendorId: described(optionalField(uuid), ...groupVendorText),
  sourcing: described(
    optionalField(v.boolean()),
    'True: the group has no vendor yet and waits for one to be assigned.',
    false,
  ),
  carrier: described(v.picklist(carriers), carrierText, 'CarrierA'),
  carrierNameOther: described(
    optionalText(255, 'name'),
    'The name of the carrier `Other`, which requires it; not allowed with any other carrier.',
    null,
  ),
  /** At most 80 lines keep the event of a group within 64 KiB, whatever its SKUs. */
  lines: described(
    boundedList(line, { min: 1, max: 80, what: 'lines' }),
    'The lines of the group, 1 to 80.',
  ),
});
type Group = v.InferOutput<typeof group>;

const nameOfOtherOnly = {
  anyOf: [
    {
      properties: {
        carrier: { const: 'Other' },
        carrierNameOther: { type: 'string', pattern: '\\S' },
      },
      required: ['carrierNameOther'],
    },
    carrierWithoutName,
  ],
};
const sourcingHasNoVendor = {
  anyOf: [
    { properties: { sourcing: { enum: [false, null] } } },
    { properties: { vendorId: nothing } },
  ],
};

const checkedGroup = v.pipe(
  group,
  presenceRule<Group>(
    'vendorId',
    'clashes_with_sourcing: must be omitted when sourcing is true',
    ({ vendorId, sourcing }) => sourcing !== true || !isPresent(vendorId),
  ),
  ...carrierNameRules<Group>(),
  ruleSchemas(nameOfOtherOnly, sourcingHasNoVendor),
);

/** The body of an order: where it goes, and in which groups. */
export const orderBody = v.strictObject({
  shipTo: described(shipTo, 'The delivery address.'),
  groups: described(
    boundedList(checkedGroup, { min: 1, max: 50, what: 'groups' }),
    'The groups in which the order ships, 1 to 50.',
  ),
});
export type OrderBody = v.InferOutput<typeof orderBody>;
