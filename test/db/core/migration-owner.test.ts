import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { expect, inject, onTestFinished, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { migrate } from '../../../db/core/migrate.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import * as rows from '../webhooks/delivery-rows.ts';
import { countOf, createEmptyDatabase, pool } from '../support.ts';

/** The URL of an empty database whose owner is no superuser, as a managed Postgres gives it. */
async function createOwnedDatabase(): Promise<string> {
  const owner = `test_owner_${randomUUID().replaceAll('-', '')}`;
  const password = randomBytes(16).toString('hex');
  const admin = postgres(inject('postgresAdminUrl'), { max: 1 });
  await admin.unsafe(`create role ${owner} login createrole password '${password}'`);
  // Runs after the database is dropped, because hooks run in reverse order.
  onTestFinished(async () => {
    await admin.unsafe(`drop role ${owner}`);
    await admin.end();
  });
  const url = new URL(await createEmptyDatabase());
  await admin.unsafe(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  url.username = owner;
  url.password = password;
  return url.href;
}

test('an owner without superuser rights migrates, and deliveries run', async () => {
  const url = await createOwnedDatabase();
  await migrate(url, () => undefined);
  const sql = pool(url, 1);
  const [{ isSuperuser }] = await sql<[{ isSuperuser: boolean }]>`
    select rolsuper as is_superuser from pg_roles where rolname = current_user`;
  expect(isSuperuser).toBe(false);

  const subscriber = await rows.newSubscriber(sql);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const batch = { batchId: uuidv7(), claimedMax: 10, begunMax: 10, leaseMs: 10_000 };
  const { deliveries } = await claimFirstAttempts(sql, batch);
  expect(deliveries).toMatchObject([{ deliveryId, begun: { attemptNumber: 1 } }]);
  expect(await countOf(sql, 'webhook_attempts')).toBe(1);
});
