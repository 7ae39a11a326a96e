import * as v from 'valibot';
import { changeShipping, moveGroup } from '../../domain/orders/fulfilment-group.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeGroup } from './change-group.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { fulfilmentGroup, fulfilmentGroupResponse } from './responses/fulfilment-group.ts';
import { pathId } from '../validation/path-id.ts';
import { shippingChange, shippingEntries, vendorOrderIdEntry } from './shipping-fields.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ groupId: v.string() });
const response = { 200: envelope(fulfilmentGroupResponse) };
const tags = ['Shipments'];
const config = { capability: 'Orders' } as const;
const moves = [
  {
    action: 'pack',
    summary: 'Mark a shipment packed',
    operationId: 'packShipment',
    description:
      'Moves a shipment from `Pending` to `Packed` and sets `packedAt`. It takes no body. A ' +
      'shipment that is packed already is refused, so a repeated call never moves the time.',
  },
  {
    action: 'ship',
    summary: 'Mark a shipment shipped',
    operationId: 'shipShipment',
    description:
      'Moves a shipment from `Pending` or `Packed` to `Shipped` and sets `shippedAt`. It takes ' +
      'no body: tell carrier and tracking before or after by the update. Delivery is reported ' +
      'by the service.',
  },
] as const;

/** What a vendor says of its own shipments (D39): the way they travel, packed, shipped. */
export function ordersShipRoutes(app: Routes, { sql }: Dependencies): void {
  app.patch(
    '/api/v1/scent/orders/:groupId',
    {
      config: { ...config, refusals: ['NOT_FOUND_FULFILMENT_GROUP'] },
      schema: {
        params,
        body: v.strictObject({ ...vendorOrderIdEntry, ...shippingEntries }),
        response,
        tags,
        summary: 'Push your own order id, tracking and carrier',
        operationId: 'updateShipment',
        description:
          'Records your own order id, the tracking reference and the carrier of a shipment, in any ' +
          'status. What is left out, or null, stays; a blank text clears. `carrierNameOther` goes ' +
          'with the carrier `Other` only, which needs one. The same values again change nothing; ' +
          'the status stays.',
      },
    },
    async (request) => {
      const group = await changeGroup(sql, {
        groupId: pathId(request.params.groupId, 'NOT_FOUND_FULFILMENT_GROUP'),
        vendorId: vendorOf(request).vendorId,
        decide: (found) => changeShipping(found, shippingChange(request.body)),
      });
      return success(fulfilmentGroup(group));
    },
  );
  for (const { action, ...words } of moves) {
    app.post(
      `/api/v1/scent/orders/:groupId/${action}`,
      {
        config: {
          ...config,
          refusals: ['NOT_FOUND_FULFILMENT_GROUP', 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
        },
        schema: { params, response, tags, ...words },
      },
      async (request) => {
        const group = await changeGroup(sql, {
          groupId: pathId(request.params.groupId, 'NOT_FOUND_FULFILMENT_GROUP'),
          vendorId: vendorOf(request).vendorId,
          decide: (found, now) => moveGroup(found, action, now),
        });
        return success(fulfilmentGroup(group));
      },
    );
  }
}
