import * as v from 'valibot';
import { carriers } from '../../domain/orders/fulfilment-group.ts';
import { described } from '../validation/described.ts';
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
