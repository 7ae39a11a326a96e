import * as v from 'valibot';
import { returnDestinations } from '../domain/return-request.ts';
import { returnReasons } from '../domain/return-status.ts';
import { optionalField, text, uuid, wholeNumber } from './fields.ts';

/** The body of a return request, as operators make it for a customer. */
export const returnBody = v.strictObject({
  orderGlobalId: text(255),
  destination: v.picklist(returnDestinations),
  vendorId: optionalField(uuid),
  lines: v.pipe(
    v.array(
      v.strictObject({
        lineId: uuid,
        quantity: wholeNumber(1, 1_000_000),
        reasonCode: v.picklist(returnReasons),
      }),
    ),
    v.minLength(1, 'too_few: must have at least one line'),
    v.maxLength(80, 'too_many: must have at most 80 lines'),
  ),
});
export type ReturnBody = v.InferOutput<typeof returnBody>;
