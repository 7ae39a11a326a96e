import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test as base } from 'vitest';
import { loadConfig } from '../../process/config.ts';
import type { Sql } from '../../db/core/client.ts';
import { createTestGateway, type TestGateway } from '../support/gateway/gateway.ts';

const dayMs = 24 * 3_600_000;
const lines: string[] = [];

const test = base.extend('gateway', { scope: 'file' }, async ({}, { onCleanup }) => {
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const gateway = await createTestGateway({}, log);
  onCleanup(() => gateway.stop());
  await gateway.startWorker();
  return gateway;
});

/** An ended delivery of that age, of a vendor of its own; answers its id. */
async function seedDelivery(sql: Sql, ageMs: number): Promise<string> {
  const at = new Date(Date.now() - ageMs);
  const [vendorId, subscriptionId] = [uuidv7(), uuidv7()];
  const [id, eventId] = [uuidv7({ msecs: at.getTime() }), `evt_${uuidv7({ msecs: at.getTime() })}`];
  await sql`
    insert into vendors (id, name, pricing_model, rate_basis_points)
    values (${vendorId}, 'Old', 'CostPlusMargin', 0)`;
  await sql`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    values (${subscriptionId}, ${vendorId}, 'https://a.example', array['vendor.order.assigned'],
      '')`;
  await sql`
    insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
    values (${eventId}, ${vendorId}, 'vendor.order.assigned', '{}', ${at})`;
  await sql`
    insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type,
      created_at)
    values (${id}, ${eventId}, ${subscriptionId}, ${vendorId}, 'vendor.order.assigned', ${at})`;
  await sql`update webhook_deliveries set state = 'succeeded' where id = ${id}`;
  return id;
}

/** Starts a maintenance workflow by hand, with an input of the caller's. */
const run = (gateway: TestGateway, type: string, input: object): Promise<unknown> =>
  gateway.client.workflow.execute(type, {
    taskQueue: gateway.config.TEMPORAL_TASK_QUEUE,
    workflowId: `by-hand-${uuidv7()}`,
    args: [input],
  });

describe('the maintenance workflows take their limits from the worker’s configuration', () => {
  test.for([-dayMs, 0, 1, Number.NaN])(
    'the retention keeps young deliveries when its starter asks for %d ms',
    async (keptMs, { gateway }) => {
      const young = await seedDelivery(gateway.sql, 29 * dayMs);
      const before = new Date(Date.now() + dayMs).toISOString();
      await run(gateway, 'webhookRetention', { keptMs, before });
      const left = await gateway.sql`select id from webhook_deliveries where id = ${young}`;
      expect(left).toEqual([{ id: young }]);
    },
  );

  test('the log says how much the retention deleted, and from before when', async ({ gateway }) => {
    await seedDelivery(gateway.sql, 31 * dayMs);
    await run(gateway, 'webhookRetention', {});
    const entry: unknown = JSON.parse(lines.find((line) => line.includes('past its')) ?? '{}');
    expect(entry).toMatchObject({
      msg: 'deleted the webhook history past its retention',
      deliveries: 1,
      events: 1,
      before: expect.stringMatching(/^\d{4}-/),
    });
  });

  test.for(['-1', '0', '1', String(dayMs - 1)])(
    'a retention of %s ms is refused at the start in production, below 1 ms everywhere',
    (WEBHOOK_RETENTION_MS) => {
      const load = (NODE_ENV: string) => () => loadConfig({ NODE_ENV, WEBHOOK_RETENTION_MS });
      expect(load('production')).toThrow('WEBHOOK_RETENTION_MS: must be');
      if (Number(WEBHOOK_RETENTION_MS) < 1) expect(load('test')).toThrow('must be');
    },
  );
});
