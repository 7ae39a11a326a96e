import * as v from 'valibot';
import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { seedOffer, seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { seedReceived } from '../../../workflows/clock-advance/clock-fixture.ts';
import { subscribe } from './events.ts';
import { rowOf, type Story } from './story.ts';

const after = 'after-the-reset';
const eventType = 'vendor.offer.review-decision' as const;

/** A vendor of a sandbox begins again: all or nothing of what it had is deleted. */
export const sandboxReset: Story = {
  title: 'sandbox reset',
  course:
    'A vendor of a sandbox with offers in review, a return and events resets it, and submits an ' +
    'offer again. Only that offer is left.',
  everyMs: 2000,
  openMax: 10,
  turnsMax: 80,
  isRepeatable: true,
  prepare: async (context) => {
    const { sql, clients, receiver, turnsMax } = context;
    const variantId = await seedVariant(sql);
    const newVendor = async () => {
      const vendorId = await seedVendor(sql);
      const offer = await seedOffer(sql, vendorId);
      const before = [offer.id, (await seedReceived(sql, { vendorId, variantId })).id];
      await subscribe(context, vendorId, { url: receiver.flakyUrl, eventType });
      return { vendorId, before, client: await clients.vendor(vendorId) };
    };
    const prepared = await Promise.all(Array.from({ length: turnsMax }, newVendor));
    const ids = prepared.map(({ vendorId }) => vendorId);
    const before = prepared.flatMap((vendor) => vendor.before);
    return {
      play: async ({ number, persist }) => {
        const { vendorId, client } = prepared[number] ?? {};
        if (vendorId === undefined || client === undefined) throw new Error('no vendor');
        await persist(vendorId, async () => {
          // Its delivery waits, is under way or has failed once while the reset runs.
          const event = { eventType, vendorId, occurredAt: new Date(), data: {} };
          await emitEvents(sql, newEvent(event));
          await client.expect('POST /api/v1/sandbox/reset', v.unknown(), { status: 202 });
        });
        await persist(`${vendorId} ${after}`, () =>
          client.expect('POST /api/v1/scent/offers', v.unknown(), {
            status: 201,
            body: { ...freeFormOffer, vendorExternalId: after },
            headers: { 'idempotency-key': vendorId },
          }),
        );
      },
      read: async () => {
        const rows = await sql<{ vendorId: string; left: number; offers: number }[]>`
          select id as vendor_id, (
            select count(*)::int from offers where vendor_id = vendors.id
              and vendor_external_id = ${after}
          ) as offers, (
            select count(*)::int from (
              select id::text from offers where id = any(${before}::uuid[])
                and vendor_id = vendors.id
              union all
              select id::text from return_requests where vendor_id = vendors.id
              union all
              select id::text from fulfilment_groups where vendor_id = vendors.id
              union all
              select id from webhook_events where vendor_id = vendors.id
            ) as old
          ) as left
          from vendors where id = any(${ids}::uuid[]) and exists (
            select from audit_log where subject_id = vendors.id and action = 'vendor.reset'
          )`;
        return rows.flatMap(({ vendorId, left, offers }) => [
          rowOf(vendorId, {
            isEnded: true,
            wrong: left === 0 ? null : `${vendorId} has ${left} rows of before its reset`,
          }),
          ...(offers === 0
            ? []
            : [rowOf(`${vendorId} ${after}`, { isEnded: true, doubled: offers - 1 })]),
        ]);
      },
    };
  },
};
