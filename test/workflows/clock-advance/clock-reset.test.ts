import { expect, vi } from 'vitest';
import { resetSandbox } from '../../../db/accounts/reset-sandbox.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { checks } from '../../../doctor/checks.ts';
import { examine, isClean } from '../../../doctor/examine.ts';
import { contextOf } from '../../doctor/doctor-fixture.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { emitTo, waiting } from '../../support/webhooks/delivery.ts';
import { statuses } from '../../support/webhooks/receiver.ts';
import { advance, eventsOf, hourMs, seedReceived, untilReached } from './clock-fixture.ts';
import { clockTest as test } from './clock-test.ts';

const vendorTables = ['offers', 'fulfilment_groups', 'return_requests', 'webhook_events'] as const;

test(
  'D133: a reset beside an advance and pushes deletes all, and the advance reaches its target',
  { timeout: 120_000 },
  async ({ gateway, receiver, vendor }) => {
    const { sql } = gateway;
    const { vendorId } = vendor;
    receiver.answerWith(statuses(...Array<number>(20).fill(503)));
    for (let each = 0; each < 2; each += 1) await seedReceived(sql, vendor);
    const offer = await seedOffer(sql, vendorId);
    const state = { isOver: false };
    const load = async () => {
      for (let quantity = 1; !state.isOver; quantity += 1) {
        const stock = { declaredInStock: true, declaredStockQuantity: quantity };
        await storeStock(sql, { vendorId, offerId: offer.id, ...stock });
        // Each delivery that fails is a stop of the clock, so that more of them delay the returns.
        if (quantity <= 100 && quantity % 50 === 0) await emitTo(sql, vendorId);
        if (quantity % 100 === 0) await seedOffer(sql, vendorId);
      }
    };
    const loads = [load(), load()];
    await advance(sql, vendorId, 97 * hourMs);
    await vi.waitFor(async () => {
      const types = (await eventsOf(sql, vendorId)).map(({ eventType }) => eventType);
      expect(types).toContain('vendor.return.inspection-started');
    }, waiting);
    const reset = () => sql.begin((transaction) => resetSandbox(transaction, vendorId));
    await reset();
    for (const table of ['return_requests', 'fulfilment_groups'] as const)
      expect(await sql`select from ${sql(table)} where vendor_id = ${vendorId}`).toEqual([]);
    state.isOver = true;
    // A push to an offer that is deleted stores nothing; none fails.
    await Promise.all(loads);
    await reset();
    for (const table of vendorTables)
      expect(await sql`select from ${sql(table)} where vendor_id = ${vendorId}`).toEqual([]);

    await untilReached(sql, vendorId);
    expect(await eventsOf(sql, vendorId)).toEqual([]);
    const options = { isRepairing: false, findingsMax: 20 };
    await vi.waitFor(async () => {
      for await (const result of examine(contextOf(gateway), checks, options))
        expect(isClean(result), JSON.stringify(result)).toBe(true);
    }, waiting);
  },
);
