import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { workflowTest as test } from '../../support/gateway/workflow-test.ts';
import {
  advance,
  eventsOf,
  hourMs,
  newClockVendor,
  seedReceived,
  untilReady,
} from '../../workflows/clock-advance/clock-fixture.ts';

/** CLOCK_RETURNS=300 measures the advance of 300 returns. */
const returns = Number(process.env['CLOCK_RETURNS'] ?? 30);
/** The part of requests that fail. */
const failing = Number(process.env['CLOCK_FAILING'] ?? 0.6);

test(
  'makes what is due in order, at its instant, beside a receiver that fails (D175)',
  { timeout: 1_800_000 },
  async ({ gateway, receiver, annotate }) => {
    const { sql } = gateway;
    const { vendorId, variantId } = await newClockVendor(gateway, receiver);
    for (let index = 0; index < returns; index += 1)
      await seedReceived(sql, { vendorId, variantId });
    const [{ before }] = await sql<[{ before: number }]>`
      select latest::int as before from event_sequences where vendor_id = ${vendorId}`;
    let random = 1;
    receiver.answerWith((response: ServerResponse) => {
      random = (random * 16_807) % 2_147_483_647;
      response.writeHead(random / 2_147_483_647 < failing ? 503 : 204).end();
    });
    const begunMs = performance.now();
    await advance(sql, vendorId, 30 * 24 * hourMs);
    const clock = await untilReady(sql, vendorId, 1_500_000);
    const seconds = (performance.now() - begunMs) / 1000;
    const [counts] = await sql`
      select stops, retry_stops, failed_again from clock_advances where vendor_id = ${vendorId}`;
    const [attempts] = await sql`
      select count(*)::int as attempts from webhook_attempts join webhook_deliveries as delivery
        on delivery.id = delivery_id where vendor_id = ${vendorId}`;
    await annotate(
      `${returns} returns in ${seconds.toFixed(1)} s: ${JSON.stringify({ ...counts, ...attempts })}`,
    );
    expect(clock.stopReason).toBeNull();
    const events = (await eventsOf(sql, vendorId)).slice(before);
    const instants = events.map(({ occurredAt }) => occurredAt.getTime());
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
    const rows = await sql<{ lateMs: number }[]>`
      select extract(epoch from at - due)::float8 * 1000 as late_ms
      from return_requests cross join lateral (values
        (inspection_started_at, received_at + interval '24 hours'),
        (closing_announced_at, received_at + interval '72 hours'),
        (inspection_decided_at, received_at + interval '96 hours')
      ) as steps (at, due)
      where vendor_id = ${vendorId}`;
    expect(rows).toHaveLength(3 * returns);
    expect(new Set(rows.map(({ lateMs }) => lateMs))).toEqual(new Set([0]));
  },
);
