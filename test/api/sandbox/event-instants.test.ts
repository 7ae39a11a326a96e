import { expect } from 'vitest';
import { succeeded } from '../../support/api/api.ts';
import { moveReturnTo, seedOrder, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { sandboxTest as test } from './sandbox-fixture.ts';

const rounds = 20;

test('numbers events in the order of their instants, whatever runs at the same time (D100)', async ({
  gateway,
  sandbox,
}) => {
  const { sql } = gateway;
  const { vendorId } = sandbox.vendor;
  const variantId = await seedVariant(sql);
  const inRounds = async (work: () => Promise<unknown>) => {
    for (let round = 0; round < rounds; round += 1) await work();
  };
  const approve = async () => {
    const id = await sandbox.offer();
    succeeded(await sandbox.act(`/offers/${id}/approve`));
  };
  const order = () => seedOrder(sql, vendorId, variantId);
  const sendBack = async () =>
    moveReturnTo(sql, await seedReturn(sql, { vendorId, variantId }), 'Received');
  await Promise.all([approve, approve, order, order, sendBack, sendBack].map(inRounds));

  const events = await sql<{ at: Date; inBody: string }[]>`
    select occurred_at as at, body::jsonb ->> 'occurredAt' as in_body from webhook_events
    where vendor_id = ${vendorId} order by sequence`;
  expect(events.length).toBeGreaterThan(8 * rounds);
  const instants = events.map(({ at }) => at.toISOString());
  expect(instants).toEqual(instants.toSorted());
  expect(events.map(({ inBody }) => inBody)).toEqual(instants);
});
