import * as v from 'valibot';
import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import {
  fulfilmentGroup,
  fulfilmentGroupResponse,
  groupId,
  groupStatus,
  orderLine,
  orderLineResponse,
} from './fulfilment-group.ts';
import { described } from '../../validation/described.ts';
import { id, orNull, titled } from '../../validation/response-parts.ts';
import { groupVendorText, orderGlobalIdText } from '../order-texts.ts';

const vendorId = described(orNull(id), ...groupVendorText);

/** A group as operators see it: the vendor's form with the vendor's id. */
export const operatorGroupResponse = titled('OperatorGroup', {
  ...fulfilmentGroupResponse.entries,
  vendorId,
});

export const operatorGroup = (
  group: FulfilmentGroup,
): v.InferInput<typeof operatorGroupResponse> => ({
  ...fulfilmentGroup(group),
  vendorId: group.vendorId,
});

/** A newly created order. */
export const createdOrderResponse = titled('Order', {
  orderGlobalId: described(v.string(), ...orderGlobalIdText),
  groups: described(
    v.array(
      titled('CreatedGroup', {
        groupId,
        vendorId,
        status: groupStatus,
        lines: described(v.array(orderLineResponse), 'The lines of the group.'),
      }),
    ),
    'The groups in which the order ships, in the order of the request.',
  ),
});

export const createdGroup = (
  group: Pick<FulfilmentGroup, 'id' | 'vendorId' | 'status' | 'lines'>,
) => ({
  groupId: group.id,
  vendorId: group.vendorId,
  status: group.status,
  lines: group.lines.map(orderLine),
});
