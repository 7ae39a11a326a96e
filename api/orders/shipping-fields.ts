import * as v from 'valibot';
import { carriers, type ShippingChange } from '../../domain/orders/fulfilment-group.ts';
import { clearableText, optionalField } from '../validation/fields.ts';

/** What vendors and operators say of the way a group travels. Absent and null leave a field as it is; blank clears a text. */
export const shippingEntries = {
  trackingRef: clearableText(255),
  carrier: optionalField(v.picklist(carriers)),
  carrierNameOther: clearableText(255),
};
export const vendorOrderIdEntry = { vendorOrderId: clearableText(255) };

type ShippingBody = {
  readonly [K in keyof ShippingChange]?: ShippingChange[K] | null | undefined;
};

/** The fields that were sent. */
export function shippingChange(body: ShippingBody): ShippingChange {
  const { vendorOrderId, trackingRef, carrier, carrierNameOther } = body;
  return {
    ...(vendorOrderId === undefined ? {} : { vendorOrderId }),
    ...(trackingRef === undefined ? {} : { trackingRef }),
    ...(carrier === undefined || carrier === null ? {} : { carrier }),
    ...(carrierNameOther === undefined ? {} : { carrierNameOther }),
  };
}
