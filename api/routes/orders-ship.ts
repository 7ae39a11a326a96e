import * as v from 'valibot';
import { changeShipping, moveGroup } from '../../domain/fulfilment-group.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { changeGroup } from '../change-group.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../envelope.ts';
import { fulfilmentGroup, fulfilmentGroupForm } from '../forms/fulfilment-group.ts';
import { pathId } from '../path-id.ts';
import { shippingChange, shippingEntries, vendorOrderIdEntry } from '../shipping-fields.ts';
import type { Routes } from '../validation.ts';

const params = v.object({ groupId: v.string() });
const response = { 200: envelope(fulfilmentGroupForm) };
const tags = ['Shipments'];
const config = { capability: 'Orders' } as const;
const moves = [
  { action: 'pack', summary: 'Mark a shipment packed' },
  { action: 'ship', summary: 'Mark a shipment shipped' },
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
  for (const { action, summary } of moves) {
    app.post(
      `/api/v1/scent/orders/:groupId/${action}`,
      {
        config: {
          ...config,
          refusals: ['NOT_FOUND_FULFILMENT_GROUP', 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
        },
        schema: { params, response, tags, summary },
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
