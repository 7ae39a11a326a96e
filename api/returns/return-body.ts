import * as v from 'valibot';
import { returnDestinations } from '../../domain/returns/return-request.ts';
import { returnReasons } from '../../domain/returns/return-status.ts';
import { boundedList, optionalField, text, uuid, wholeNumber } from '../validation/fields.ts';

/** The body of a return request, as operators make it for a customer. */
export const returnBody = v.strictObject({
  orderGlobalId: text(255),
  destination: v.picklist(returnDestinations),
  vendorId: optionalField(uuid),
  lines: boundedList(
    v.strictObject({
      lineId: uuid,
      quantity: wholeNumber(1, 1_000_000),
      reasonCode: v.picklist(returnReasons),
    }),
    { min: 1, max: 80, what: 'lines' },
  ),
});
export type ReturnBody = v.InferOutput<typeof returnBody>;
