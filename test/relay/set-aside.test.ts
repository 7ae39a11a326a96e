import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { JSONValue } from 'postgres';
import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { requestRuns } from '../../db/checks/request-runs.ts';
import type { RunMessage } from '../../domain/messages.ts';
import { relayMessages } from '../../relay/relay-messages.ts';
import { startMaintenance } from '../../worker/maintenance.ts';
import { addDelivery, leaveQueue, newSubscriber } from '../db/webhooks/delivery-rows.ts';
import { countOf } from '../db/support.ts';
import { untilHolds } from './relay-fixture.ts';
import { freshDatabaseTest } from '../support/database/database-test.ts';

/** Gives each test a relay, what it handed to Temporal and logged, and what is set aside. */
const test = freshDatabaseTest.extend('outbox', async ({ sql }) => {
  // As after the migration of a later version, which adds a kind.
  await sql`alter table outbox drop constraint outbox_kind_check`;
  const sent: RunMessage[] = [];
  const lines: Record<string, unknown>[] = [];
  const dependencies = {
    sql,
    handleMessage: async (message: RunMessage) => void sent.push(message),
    isOutage: () => false,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  };
  return {
    sent,
    lines,
    relay: async (limit = 100): Promise<number> =>
      (await relayMessages(dependencies, { lane: 'all', limit, lowPriorityMax: limit })).moved,
    /** Writes a message that the types do not allow. */
    put: (kind: string, payload: object | string, subjectId = uuidv7()) => sql`
      select write_messages(${kind}, array[${subjectId}::uuid],
        array[${sql.json(payload as JSONValue)}])`,
    kept: () => sql`
      select id, kind, subject_id, payload, is_low_priority, reason
      from outbox_set_aside order by id`,
  };
});

test.for([
  ['of an unknown kind', 'somethingNew', { vendorId: uuidv7() }, /^kind: expected/],
  ['with a malformed payload', 'offerReview', { vendorId: 7 }, /^payload\.vendorId: expected/],
  ['with text as its payload', 'returnInspection', 'text', /^payload: expected/],
] as const)(
  'sets a message %s aside as it was, once, with a line in the log',
  async ([, kind, payload, reason], { sql, outbox }) => {
    const subjectId = uuidv7();
    await outbox.put(kind, payload, subjectId);
    expect(await outbox.relay()).toBe(1);
    expect(await outbox.relay()).toBe(0);

    expect(outbox.sent).toEqual([]);
    expect(await countOf(sql, 'outbox')).toBe(0);
    const row = { id: '1', kind, subjectId, reason: expect.stringMatching(reason) };
    expect(await outbox.kept()).toEqual([{ ...row, payload, isLowPriority: false }]);
    const msg = expect.stringContaining('docs/operating/repairs.md');
    expect(outbox.lines).toMatchObject([{ ...row, level: 50, msg }]);
  },
);

test('delays no other message, not even to the same workflow', async ({ outbox }) => {
  const { put, relay, sent, kept } = outbox;
  const [subjectId, vendorId] = [uuidv7(), uuidv7()];
  await put('offerReview', {}, subjectId);
  await put('offerReview', { vendorId }, subjectId);
  await put('somethingNew', {});
  await put('agreementSwitch', {}, vendorId);
  // A claim may be full of such messages.
  expect(await relay(1)).toBe(1);
  await relay();
  expect(sent).toEqual([
    { kind: 'offerReview', subjectId, payload: { vendorId } },
    { kind: 'agreementSwitch', subjectId: vendorId, payload: {} },
  ]);
  expect(await kept()).toHaveLength(2);
  await put('offerReview', { vendorId }, subjectId);
  await relay();
  expect(sent).toHaveLength(3);
});

test('lets the reconciliation replace the message of a delivery', async ({ sql, outbox }) => {
  const id = await addDelivery(sql, await newSubscriber(sql));
  await leaveQueue(sql, id);
  await outbox.put('webhookDelivery', { signal: 'retry' }, id);
  await outbox.relay();
  expect(await outbox.kept()).toHaveLength(1);
  expect(await requestRuns(sql, 'webhookDelivery', [id])).toBe(1);
  await outbox.relay();
  expect(outbox.sent).toMatchObject([{ kind: 'webhookDelivery', subjectId: id }]);
});

test('hands fixed messages over by the operating guide’s statement', async ({ sql, outbox }) => {
  const [subjectId, vendorId] = [uuidv7(), uuidv7()];
  await outbox.put('offerReview', { vendorId: 7 }, subjectId);
  await outbox.relay();
  const maintenance = startMaintenance({ sql, log: pino({ level: 'silent' }) });
  await untilHolds(() => expect(maintenance.messagesSetAside()).toBe(1));
  await maintenance.stop();
  // The fix.
  await sql`update outbox_set_aside set payload = ${sql.json({ vendorId })}`;

  const guide = readFileSync(new URL('../../docs/operating/repairs.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## Messages set aside\n');
  const statement = /^with again as[^;]*;$/m.exec(section)?.[0];
  if (statement === undefined) throw new Error('the guide has no statement');
  await sql.unsafe(statement);

  expect(await outbox.kept()).toEqual([]);
  await outbox.relay();
  expect(outbox.sent).toEqual([{ kind: 'offerReview', subjectId, payload: { vendorId } }]);
});
