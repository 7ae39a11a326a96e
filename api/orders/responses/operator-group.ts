import type { ListedOrder } from '../../../db/orders/order-list.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import {
  fulfilmentGroupResponse,
  groupId,
  groupStatus,
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

/** An order of a list: without the address, which is personal data. */
export const listedOrderResponse = titled('ListedOrder', {
  ...createdOrderResponse.entries,
  createdAt: orderCreatedAt,
});

export const listedOrder = ({ id, createdAt, groups }: ListedOrder) => ({
  orderGlobalId: orderGlobalId(id),
  createdAt,
  groups: groups.map(({ id: groupId, vendorId, status, lines }) => ({
    groupId,
    vendorId,
    status,
    lines,
  })),
});

/** One order with its address, in each group. */
export const orderWithGroupsResponse = titled('OrderWithGroups', {
  orderGlobalId: orderGlobalIdEntry,
  createdAt: orderCreatedAt,
  groups: list(operatorGroupResponse, 'The groups, in the order of their creation.'),
});
