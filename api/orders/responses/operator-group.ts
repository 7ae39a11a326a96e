import * as v from 'valibot';
import type { ListedOrder } from '../../../db/orders/order-list.ts';
import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import {
  fulfilmentGroup,
  fulfilmentGroupResponse,
  groupId,
  groupStatus,
  orderLine,
  orderLineResponse,
} from './fulfilment-group.ts';
import { field, list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { groupVendorText, orderGlobalIdText } from '../order-texts.ts';

const vendorId = field.idOrNull(...groupVendorText);

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

const orderGlobalIdEntry = field.text(...orderGlobalIdText);
const orderCreatedAt = field.instant('When the order was created, in UTC.', sample.offerCreatedAt);

/** A newly created order. */
export const createdOrderResponse = titled('Order', {
  orderGlobalId: orderGlobalIdEntry,
  groups: list(
    titled('CreatedGroup', {
      groupId,
      vendorId,
      status: groupStatus,
      lines: list(orderLineResponse, 'The lines of the group.'),
    }),
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

/** An order of a list: without the address, which is personal data. */
export const listedOrderResponse = titled('ListedOrder', {
  ...createdOrderResponse.entries,
  createdAt: orderCreatedAt,
});

export const listedOrder = (order: ListedOrder): v.InferInput<typeof listedOrderResponse> => ({
  orderGlobalId: orderGlobalId(order.id),
  groups: order.groups.map(createdGroup),
  createdAt: order.createdAt,
});

/** One order with its address, in each group. */
export const orderWithGroupsResponse = titled('OrderWithGroups', {
  orderGlobalId: orderGlobalIdEntry,
  createdAt: orderCreatedAt,
  groups: list(operatorGroupResponse, 'The groups, in the order of their creation.'),
});
