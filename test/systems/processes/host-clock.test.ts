import * as v from 'valibot';
import { expect } from 'vitest';
import { addVariant, withId } from '../../../scripts/demo/api-calls.ts';
import { waitFor } from '../../../scripts/demo/api-client.ts';
import { readBusinessInstants } from '../../support/database/business-instants.ts';
import { hasFakeTime, withClock } from '../../support/fake-time.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { createOffers } from '../contract/offer-fixtures.ts';
import { createOrders } from '../contract/order-fixtures.ts';
import { callersOf } from './callers.ts';

processTest.skipIf(!hasFakeTime)(
  'stores right business instants by an API an hour behind and a worker an hour ahead (D131)',
  async ({ gateway, processes }) => {
    const { sql } = gateway;
    const inspection = { INSPECTION_START_MS: '500', INSPECTION_WINDOW_MS: '1500' };
    const begunMs = Date.now();
    const api = await processes.startApi({ ...withClock('-1h'), ...inspection });
    await processes.startWorker(withClock('+1h'));
    const callers = await callersOf(gateway, api.url);
    const { operator } = callers;
    const context = await callers.addVendor('Vendor', await addVariant(operator, 'S-1'), {
      pricingModel: 'PercentageOfSale',
      commissionPercent: 10,
    });
    const { vendor, vendorId } = context;
    const models = { from: 'PercentageOfSale', to: 'CostPlusMargin' } as const;
    const { live } = await createOffers(context, { ...models, copies: 1 });
    const items = [{ offerId: live[0], declaredInStock: true, declaredStockQuantity: 6 }];
    await vendor.expect('PATCH /api/v1/scent/offers/stock', v.unknown(), { body: { items } });

    const [delivered] = (await createOrders(context, 1)).delivered;
    const lines = [{ lineId: delivered?.lineId, quantity: 1, reasonCode: 'Defective' }];
    const body = { orderGlobalId: delivered?.orderGlobalId, destination: 'Supplier', lines };
    const created = { body, status: 201 };
    const { id } = await operator.expect('POST /operator/v1/returns', withId, created);
    for (const move of ['approve', 'in-transit'])
      await operator.expect(`POST /operator/v1/returns/${id}/${move}`, v.unknown());
    await vendor.expect(`PATCH /api/v1/scent/returns/${id}/received`, v.unknown());
    const photo = { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' };
    await vendor.expect(`POST /api/v1/scent/returns/${id}/evidence`, v.unknown(), {
      body: photo,
      status: 201,
    });
    const status = v.object({ status: v.string() });
    await waitFor(
      () => vendor.expect(`GET /api/v1/scent/returns/${id}`, status),
      (read) => read.status === 'InspectionAccepted',
    );

    const endedMs = Date.now();
    const stored = (await readBusinessInstants(sql, vendorId)).flatMap(({ name, at }) =>
      at === null ? [] : [{ name, ms: at.getTime() }],
    );
    // All kinds but the announcement of the closing.
    expect(new Set(stored.map(({ name }) => name)).size).toBe(18);
    for (const { name, ms } of stored) {
      // Postgres may be a few milliseconds off.
      expect(ms, name).toBeGreaterThan(begunMs - 1000);
      expect(ms, name).toBeLessThan(endedMs + 1000);
    }
  },
);
