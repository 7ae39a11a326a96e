import * as v from 'valibot';
import { returnDestinations } from '../../domain/returns/return-request.ts';
import { returnReasons } from '../../domain/returns/return-status.ts';
import { described } from '../validation/described.ts';
import { boundedList, optionalField, text, uuid, wholeNumber } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { lineIdText, orderGlobalIdText, quantityText } from '../orders/order-texts.ts';
import { lineVendorText } from './responses/operator-return.ts';
import { destinationText, reasonCodeText } from './return-texts.ts';

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
