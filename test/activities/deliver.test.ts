import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDeliveryActivities, type DeliveryActivities } from '../../activities/deliver.ts';
import { connect, type Sql } from '../../db/client.ts';
import { emitEvent } from '../../db/events.ts';
import { listAttempts } from '../../db/webhook-attempts.ts';
import { listDeliveries } from '../../db/webhook-deliveries.ts';
import { createSender, type Sender } from '../../guardrail/send.ts';
import { createSealer } from '../../security/sealer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestReceiver, type TestReceiver } from '../support/receiver.ts';
import { seedSubscription, seedVendor } from '../support/seed.ts';

const secretsKey = Buffer.alloc(32, 7).toString('base64');

let database: TestDatabase;
let sql: Sql;
let receiver: TestReceiver;
let sender: Sender;
let activities: DeliveryActivities;
let subscriptionId: string;
let deliveryId: string;

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startTestReceiver()]);
  sql = connect(database.url, { max: 4, name: 'test' });
  const policy = { allowedPorts: [443], allowedOrigins: [receiver.origin] };
  sender = createSender({ policy, timeoutMs: 5000 });
  const sealer = createSealer(secretsKey);
  activities = createDeliveryActivities({ sql, sender, sealer, userAgent: 'test' });
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
  await sql.end({ timeout: 5 });
  await database.drop();
});
beforeEach(async () => {
  const vendorId = await seedVendor(sql);
  ({ id: subscriptionId } = await seedSubscription(sql, vendorId, receiver.url, secretsKey));
  const eventType = 'vendor.offer.review-decision';
  await emitEvent(sql, { id: `evt_${uuidv7()}`, vendorId, eventType, body: '{}', occurredAt: new Date() });
  const filter = { state: null, vendorId, eventType: null };
  const { items } = await listDeliveries(sql, filter, { page: 1, pageSize: 1 });
  deliveryId = items[0]?.id ?? '';
});

const attempt = () =>
  activities.attemptDelivery({ deliveryId, attemptNumber: 1, retryDelayMs: null, timeoutMs: 5000 });
const attempts = async () => (await listAttempts(sql, subscriptionId, { page: 1, pageSize: 10 })).items;

test('a step that is repeated after its result was recorded sends nothing, and tells the same', async () => {
  const before = receiver.requests.length;
  const first = await attempt();
  expect(await attempt()).toMatchObject({ unrecorded: null, outcome: { state: first.outcome.state } });
  expect(first.outcome).toMatchObject({ state: 'succeeded', httpStatus: 200 });
  expect(receiver.requests.length).toBe(before + 1);
});

test('a result that Postgres did not take is handed on, and stored by its own step without a second request', async () => {
  const before = receiver.requests.length;
  receiver.answerWith((response) => {
    void sql`alter table webhook_attempts rename to hidden`.then(() => response.end());
  });
  const { outcome, unrecorded } = await attempt();
  await sql`alter table hidden rename to webhook_attempts`;

  expect(outcome.state).toBe('succeeded');
  expect((await attempts())[0]?.succeeded).toBeNull();
  if (unrecorded === null) throw new Error('the result was stored, though its table was away');
  await activities.recordDeliveryAttempt(unrecorded);
  await activities.recordDeliveryAttempt(unrecorded);

  expect(await attempts()).toMatchObject([{ attemptNumber: 1, succeeded: true, httpStatus: 200 }]);
  expect(receiver.requests.length).toBe(before + 1);
});
