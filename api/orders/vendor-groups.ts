import * as v from 'valibot';
import { findGroup } from '../../db/orders/fulfilment-groups.ts';
import { listGroups } from '../../db/orders/group-list.ts';
import { changeShipping, moveGroup } from '../../domain/orders/fulfilment-group.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { readVendorClock } from '../sandbox/vendor-clock.ts';
import { changedSinceParameter, enumParameter, query } from '../validation/query.ts';
import { changeGroup } from './change-group.ts';
import { fulfilmentGroup, fulfilmentGroupResponse } from './responses/fulfilment-group.ts';
import { shippingEntries, vendorOrderIdEntry, withCarrierRules } from './shipping-fields.ts';

const responses = {
  payload: fulfilmentGroupResponse,
  notFound: 'NOT_FOUND_FULFILMENT_GROUP',
} as const;
const moves = [
  {
    action: 'pack',
    operationId: 'packShipment',
    summary: 'Mark a shipment as packed',
    description:
      'Moves a shipment from `Pending` to `Packed` and sets `packedAt`. The call takes no body. ' +
      'It refuses a shipment that is already packed, so a repeated call never changes the time.',
  },
  {
    action: 'ship',
    operationId: 'shipShipment',
    summary: 'Mark a shipment as shipped',
    description:
      'Moves a shipment from `Pending` or `Packed` to `Shipped` and sets `shippedAt`. The call ' +
      'takes no body: send carrier and tracking reference with the update call, before or after. ' +
      'The service reports the delivery.',
  },
] as const;

/** A vendor's own fulfilment groups: list, read, ship (part 4). */
export const vendorGroupRoutes: AddRoutes = (app, dependencies) => {
  const { sql, lists } = dependencies;
  const route = vendorRoutes(app, { capability: 'Orders', tag: 'Shipments' });
  route({
    at: 'GET /api/v1/scent/orders',
    operationId: 'listShipments',
    summary: 'List shipments: by order creation, or by change time with changedSince',
    description:
      'Lists your fulfilment groups in the order in which their orders were created. With ' +
      '`changedSince` it lists only groups whose order changed strictly after that instant, in ' +
      'order of change. Poll with the `details.nextChangedSince` of the previous response to ' +
      'miss no change. A group can appear again unchanged when something else in its order ' +
      'changed, so reconcile by `groupId`. The list shows no money, no partner and no ' +
      'reference of the customer.',
    query: query({
      status: enumParameter(groupStatuses, 'Only shipments in this status.', 'Pending'),
      changedSince: changedSinceParameter,
    }),
    payload: pageOf(fulfilmentGroupResponse),
    isDelta: true,
    handler: async ({ caller: { vendorId, tokenId }, query: { status, changedSince }, page }) => {
      (await readVendorClock(dependencies, vendorId)).requirePast({ changedSince });
      const found = await listGroups(lists, vendorId, { status, changedSince, tokenId }, page);
      return mapItems(found, fulfilmentGroup);
    },
  });
  route({
    at: 'GET /api/v1/scent/orders/:groupId',
    operationId: 'getShipment',
    summary: 'Read a shipment',
    description: 'Reads one of your fulfilment groups, as the list shows it.',
    ...responses,
    handler: async ({ caller: { vendorId }, id: groupId }) =>
      fulfilmentGroup(orNotFound(await findGroup(sql, groupId, vendorId), responses.notFound)),
  });
  route({
    at: 'PATCH /api/v1/scent/orders/:groupId',
    operationId: 'updateShipment',
    summary: 'Set your order id, the tracking reference and the carrier',
    description:
      'Stores your own order id, the tracking reference and the carrier of a shipment, in any ' +
      'status. A field that is absent or null keeps its value; a blank text clears it. The ' +
      'carrier `Other` requires `carrierNameOther`; no other carrier allows it. The status ' +
      'does not change. Repeating the call changes nothing.',
    body: withCarrierRules(v.strictObject({ ...vendorOrderIdEntry, ...shippingEntries })),
    ...responses,
    handler: async ({ caller: { vendorId }, id: groupId, body }) => {
      const group = await changeGroup(sql, { groupId, vendorId }, (found) =>
        changeShipping(found, body),
      );
      return fulfilmentGroup(group);
    },
  });
  for (const { action, ...documentation } of moves) {
    route({
      at: `POST /api/v1/scent/orders/:groupId/${action}`,
      ...documentation,
      ...responses,
      refusals: ['BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
      handler: async ({ caller: { vendorId }, id: groupId }) => {
        const group = await changeGroup(sql, { groupId, vendorId }, (found, now) =>
          moveGroup(found, action, now),
        );
        return fulfilmentGroup(group);
      },
    });
  }
};
