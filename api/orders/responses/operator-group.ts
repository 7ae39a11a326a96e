import * as v from 'valibot';
import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import {
  fulfilmentGroup,
  fulfilmentGroupResponse,
  orderLine,
  orderLineResponse,
} from './fulfilment-group.ts';
import { id, orNull } from '../../validation/response-parts.ts';

/** A group as operators see it: the vendor's form, and whose it is. */
export const operatorGroupResponse = v.object({
  ...fulfilmentGroupResponse.entries,
  vendorId: orNull(id),
});

export const operatorGroup = (
  group: FulfilmentGroup,
): v.InferInput<typeof operatorGroupResponse> => ({
  ...fulfilmentGroup(group),
  vendorId: group.vendorId,
});

/** An order that was just taken in. */
export const createdOrderResponse = v.object({
  orderGlobalId: v.string(),
  groups: v.array(
    v.object({
      groupId: id,
      vendorId: orNull(id),
      status: v.picklist(groupStatuses),
      lines: v.array(orderLineResponse),
    }),
  ),
});

export const takenGroup = ({
  id: groupId,
  vendorId,
  status,
  lines,
}: Pick<FulfilmentGroup, 'id' | 'vendorId' | 'status' | 'lines'>) => ({
  groupId,
  vendorId,
  status,
  lines: lines.map(orderLine),
});
