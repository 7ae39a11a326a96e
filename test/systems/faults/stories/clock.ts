import * as v from 'valibot';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import {
  hourMs,
  inspectionEvents as steps,
  seedReceived,
} from '../../../workflows/clock-advance/clock-fixture.ts';
import { firstWrong, readEvents, subscribe, sumOf } from './events.ts';
import { rowOf, type Story } from './story.ts';

const advanceMs = 97 * hourMs;

/** A vendor of a sandbox advances its clock, and its return comes to its end. */
export const clockAdvance: Story = {
  title: 'clock advance',
  course:
    'A vendor of a sandbox advances its clock by 97 hours. Its return is inspected and decided, ' +
    'in order and each step at its time. The receiver refuses each event once.',
  everyMs: 2000,
  openMax: 10,
  turnsMax: 80,
  isRepeatable: true,
  prepare: async (context) => {
    const { sql, clients, receiver, turnsMax } = context;
    const variantId = await seedVariant(sql);
    const newVendor = async () => {
      const vendorId = await seedVendor(sql);
      const { id: returnId } = await seedReceived(sql, { vendorId, variantId });
      await subscribe(context, vendorId, { url: receiver.flakyUrl, eventType: steps });
      return { vendorId, returnId, client: await clients.vendor(vendorId) };
    };
    const prepared = await Promise.all(Array.from({ length: turnsMax }, newVendor));
    const clock = v.object({ target: v.string() });
    return {
      play: async ({ number, persist }) => {
        const { vendorId, client } = prepared[number] ?? {};
        if (vendorId === undefined || client === undefined) throw new Error('no vendor');
        const path = '/api/v1/sandbox/clock';
        await persist(vendorId, async () => {
          const { target } = await client.expect(`GET ${path}`, clock);
          // Otherwise an earlier call was applied, and its response was lost.
          if (Date.parse(target) < Date.now() + advanceMs / 2)
            await client.expect(`POST ${path}`, clock, {
              status: 202,
              body: { advanceBy: `PT${advanceMs / 1000}S` },
            });
        });
      },
      read: async () => {
        const ids = prepared.map(({ vendorId }) => vendorId);
        const clocks = await sql<
          { vendorId: string; isReady: boolean; stopReason: string | null }[]
        >`
          select vendor_id, ended_at is not null as is_ready, stop_reason from clock_advances
          where vendor_id = any(${ids}::uuid[])`;
        const events = await readEvents(context, ids, ({ returnId }) => returnId);
        return clocks.map(({ vendorId, isReady, stopReason }) => {
          const { returnId = '' } = prepared.find((each) => each.vendorId === vendorId) ?? {};
          const seen = events.get(returnId) ?? [];
          const done = seen.filter(({ eventType }) => steps.some((step) => step === eventType));
          const [firstMs = 0, , lastMs = 0] = done.map(({ occurredAt }) => occurredAt.getTime());
          const hours = (lastMs - firstMs) / hourMs;
          const course = done.map(({ eventType }) => eventType).join(', ');
          return rowOf(vendorId, {
            isEnded: isReady && seen.every(({ isDelivered }) => isDelivered),
            doubled:
              Math.max(0, done.length - steps.length) + sumOf(seen.map(({ doubled }) => doubled)),
            wrong: !isReady
              ? null
              : firstWrong(
                  stopReason === null ? null : `the clock of ${vendorId} stopped: ${stopReason}`,
                  course === steps.join(', ') ? null : `the return of ${vendorId} has: ${course}`,
                  // A fault takes some seconds, and the clock runs meanwhile.
                  hours >= 72 && hours < 72.1 ? null : `${vendorId} decided after ${hours} h`,
                  ...seen.map(({ wrong }) => wrong),
                ),
          });
        });
      },
    };
  },
};
