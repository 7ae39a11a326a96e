import * as v from 'valibot';
import { carriers, type Carrier } from '../../domain/orders/fulfilment-group.ts';
import { described } from '../validation/described.ts';
import { crossFieldRule, isPresent, nothing, ruleSchemas } from '../validation/field-rules.ts';
import { clearableText, optionalField } from '../validation/fields.ts';
import { carrierText } from './order-texts.ts';

const keepOrClear = 'Omit it or send null to keep it; a blank text clears it.';

/** The shipping fields of a group. An omitted or null field stays as it is; a blank text clears. */
export const shippingEntries = {
  trackingRef: described(
    clearableText(255, 'name'),
    `The carrier's tracking reference. ${keepOrClear}`,
    'CA123456789SA',
  ),
  carrier: described(
    optionalField(v.picklist(carriers)),
    `${carrierText} Omit it or send null to keep it.`,
    'CarrierA',
  ),
  carrierNameOther: described(
    clearableText(255, 'name'),
    `The name of the carrier \`Other\`. ${keepOrClear}`,
    null,
  ),
};
export const vendorOrderIdEntry = {
  vendorOrderId: described(
    clearableText(255, 'name'),
    `The vendor's own reference for the shipment. ${keepOrClear}`,
    'SO-2026-0481',
  ),
};

type CarrierFields = {
  readonly carrier: Carrier | null;
  /** Null for a blank text, in a new group also for none. */
  readonly carrierNameOther?: string | null | undefined;
};

/** The carrier `Other` requires its name, and no other carrier has one (D79). */
export const carrierNameRules = <TBody extends CarrierFields>() => {
  const rule = (message: string, isMet: (body: TBody) => boolean) =>
    crossFieldRule<TBody>(['carrier', 'carrierNameOther'], 'carrierNameOther', message, isMet);
  return [
    rule(
      'not_allowed: must be omitted unless the carrier is Other',
      ({ carrier, carrierNameOther }) =>
        carrier === null || carrier === 'Other' || !isPresent(carrierNameOther),
    ),
    rule(
      'required: is required when the carrier is Other',
      ({ carrier, carrierNameOther }) => carrier !== 'Other' || carrierNameOther !== null,
    ),
  ] as const;
};

/** Another carrier than `Other`, and no name or a blank one, as JSON Schema. */
export const carrierWithoutName = {
  properties: {
    carrier: { not: { const: 'Other' } },
    carrierNameOther: { anyOf: [nothing, { type: 'string', pattern: '^\\s*$' }] },
  },
};

/**
 * Adds {@link carrierNameRules} to the body of an update. Without a carrier in the body, the stored
 * one decides.
 */
export const withCarrierRules = <const TBody extends v.GenericSchema<object, CarrierFields>>(
  body: TBody,
): TBody =>
  v.pipe(
    body as v.GenericSchema<unknown, CarrierFields>,
    ...carrierNameRules<CarrierFields>(),
    ruleSchemas({
      anyOf: [
        { properties: { carrier: nothing } },
        {
          properties: {
            carrier: { const: 'Other' },
            carrierNameOther: { anyOf: [nothing, { type: 'string', pattern: '\\S' }] },
          },
        },
        carrierWithoutName,
      ],
    }),
    // The rules accept and return the same values as the body.
  ) as unknown as TBody;
