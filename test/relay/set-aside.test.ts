import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { JSONValue } from 'postgres';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Pool } from '../../db/core/client.ts';
import { requestRuns } from '../../db/checks/request-runs.ts';
import type { OutboxMessage } from '../../domain/messages.ts';
import { startMaintenance } from '../../worker/maintenance.ts';
import { relayBatch } from '../../relay/relay-batch.ts';
import { addDeliveries, newSubscriber, attemptTexts } from '../db/webhooks/delivery-rows.ts';
import { countOf } from '../db/support.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createTestLane } from '../support/webhooks/test-lane.ts';

let database: TestDatabase;
let sql: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 5, name: 'test' });
  // As after the migration of a later version, which adds a kind.
  await sql`alter table outbox drop constraint outbox_kind_check`;
});
afterEach(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});

/** A relay, what it handed to Temporal, and what it logged. */
function createRelay() {
  const sent: OutboxMessage[] = [];
  const lines: Record<string, unknown>[] = [];
  const dependencies = {
    sql,
    handleMessage: async (message: OutboxMessage) => {
      sent.push(message);
    },
    isOutage: () => false,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  };
  const relay = async (limit = 100): Promise<number> => {
    const claim = { lane: 'rest', limit, lowPriorityMax: limit } as const;
    return (await relayBatch(dependencies, claim)).moved;
  };
  return { dependencies, relay, sent, lines };
}

/** Writes a message that the types do not allow. */
const put = (kind: string, payload: object | string, subjectId = uuidv7()) => sql`
  select write_messages(${kind}, array[${subjectId}::uuid],
    array[${sql.json(payload as JSONValue)}])`;
const kept = () => sql`
  select id, kind, subject_id, payload, is_low_priority, reason from outbox_set_aside order by id`;

test.each([
  ['of an unknown kind', 'somethingNew', { vendorId: uuidv7() }, /^kind: expected/],
  ['with a malformed payload', 'offerReview', { vendorId: 7 }, /^payload\.vendorId: expected/],
  ['with text as its payload', 'returnInspection', 'text', /^payload: expected/],
  [
    'with an unknown signal',
    'webhookDelivery',
    { signal: 'restart' },
    /^payload\.signal: expected/,
  ],
])('a message %s is set aside as it was, once, with a line in the log', async (...given) => {
  const [, kind, payload, reason] = given;
  const subjectId = uuidv7();
  const { relay, sent, lines } = createRelay();
  await put(kind, payload, subjectId);

  expect(await relay()).toBe(1);
  expect(await relay()).toBe(0);

  expect(sent).toEqual([]);
  expect(await countOf(sql, 'outbox')).toBe(0);
  const matching = expect.stringMatching(reason);
  expect(await kept()).toEqual([
    { id: '1', kind, subjectId, payload, isLowPriority: false, reason: matching },
  ]);
  expect(lines).toMatchObject([{ level: 50, id: '1', kind, subjectId, reason: matching }]);
  expect(lines[0]?.['msg']).toContain('docs/operating/repairs.md');
});

test('it holds up no other message, not even to the same workflow', async () => {
  const { relay, sent } = createRelay();
  const subjectId = uuidv7();
  const vendorId = uuidv7();
  await put('offerReview', {}, subjectId);
  await put('offerReview', { vendorId }, subjectId);
  await put('somethingNew', {});
  await put('agreementSwitch', {}, vendorId);
  await relay();
  expect(sent).toEqual([
    { kind: 'offerReview', subjectId, payload: { vendorId } },
    { kind: 'agreementSwitch', subjectId: vendorId, payload: {} },
  ]);
  expect(await kept()).toHaveLength(2);
  // Nor a later one.
  await put('offerReview', { vendorId }, subjectId);
  await relay();
  expect(sent).toHaveLength(3);
});

test('a claim full of them does not end the round', async () => {
  const { relay, sent } = createRelay();
  for (let count = 0; count < 5; count += 1) await put('offerReview', {});
  await put('agreementSwitch', {});
  expect(await relay(5)).toBe(5);
  expect(await relay(5)).toBe(1);
  expect(sent).toHaveLength(1);
});

test('in the lane of delivery batches too: the others go', async () => {
  const { dependencies, sent } = createRelay();
  await put('webhookDeliveryBatch', { size: '2' });
  const batchId = uuidv7();
  await put('webhookDeliveryBatch', { size: 2 }, batchId);
  await relayBatch(dependencies, { lane: 'batches', limit: 10, lowPriorityMax: 10 });
  expect(sent.map(({ subjectId }) => subjectId)).toEqual([batchId]);
  expect(await kept()).toHaveLength(1);
});

test('a first attempt is made whatever else its message says', async () => {
  const [id = ''] = await addDeliveries(sql, await newSubscriber(sql), 1);
  await sql`update outbox set payload = '{"signal":"start","vendorId":7}'`;
  const { lane } = createTestLane(sql);
  await lane.round();
  await vi.waitFor(async () => expect(await attemptTexts(sql, id)).toEqual(['1 succeeded']));
  await lane.stop();
  expect(await kept()).toEqual([]);
});

test('the reconciliation writes a new message for a delivery whose one was set aside', async () => {
  const { relay, sent } = createRelay();
  const [id = ''] = await addDeliveries(sql, await newSubscriber(sql), 1);
  await sql`update outbox set payload = '{"signal":"retry"}'`;
  await relay();
  expect(await kept()).toHaveLength(1);
  expect(await requestRuns(sql, 'webhookDelivery', [id])).toBe(1);
  await relay();
  expect(sent).toMatchObject([{ kind: 'webhookDelivery', subjectId: id }]);
});

test('the worker counts them', async () => {
  const { relay } = createRelay();
  await put('offerReview', {});
  await relay();
  const maintenance = startMaintenance({ sql, log: pino({ level: 'silent' }) });
  await vi.waitFor(() => expect(maintenance.messagesSetAside()).toBe(1));
  await maintenance.stop();
});

test('after a fix, the statement of the operating guide hands them over again', async () => {
  const { relay, sent } = createRelay();
  const subjectId = uuidv7();
  const vendorId = uuidv7();
  await put('offerReview', { vendorId: 7 }, subjectId);
  await relay();
  // The fix.
  await sql`update outbox_set_aside set payload = ${sql.json({ vendorId })}`;

  const guide = readFileSync(new URL('../../docs/operating/repairs.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## Messages set aside\n');
  const statement = /^with again as[^;]*;$/m.exec(section)?.[0];
  if (statement === undefined) throw new Error('the guide has no statement');
  await sql.unsafe(statement);

  expect(await kept()).toEqual([]);
  await relay();
  expect(sent).toEqual([{ kind: 'offerReview', subjectId, payload: { vendorId } }]);
});
