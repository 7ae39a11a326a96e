import { expect } from 'vitest';
import { createOrder } from '../../../api/orders/create-order.ts';
import { insertOrders, type OrderToStore } from '../../../db/orders/insert-orders.ts';
import { newVariant, newVendor } from '../../support/api/actors.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { shipTo } from './order-fixture.ts';
// What changes between the read of an order's facts and the order's statement.

test.for(['deactivates the vendor', 'deletes the variant'])(
  'refuses an order, and stores nothing, if another transaction %s before the insert',
  async (change, { gateway }) => {
    const { sql } = gateway;
    const [{ vendorId }, { id: variantId }] = [await newVendor(gateway), await newVariant(gateway)];
    const store = async (order: OrderToStore): Promise<void> => {
      await (change === 'deactivates the vendor'
        ? sql`update vendors set is_active = false where id = ${vendorId}`
        : sql`delete from variants where id = ${variantId}`);
      await insertOrders(sql, [order]);
    };
    const group = {
      vendorId,
      sourcing: false,
      carrier: 'CarrierA',
      carrierNameOther: null,
    } as const;
    const body = {
      shipTo: { ...shipTo, line2: null, region: null, postalCode: null },
      groups: [{ ...group, lines: [{ variantId, quantity: 1 }] }],
    };
    await expect(createOrder(sql, store, body, () => null)).rejects.toMatchObject({
      code: 'VALIDATION_ERRORS',
    });
    expect(await sql`select from fulfilment_groups where vendor_id = ${vendorId}`).toEqual([]);
    expect(await sql`select from webhook_events where vendor_id = ${vendorId}`).toEqual([]);
  },
);
