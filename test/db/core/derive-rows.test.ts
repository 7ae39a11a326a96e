import { expect } from 'vitest';
import { migrate } from '../../../db/core/migrate.ts';
import type { Sql } from '../../../db/core/client.ts';
import { countChecks } from '../../../db/checks/kept-counts.ts';
import { scanRows, type Scan } from '../../../db/checks/scan.ts';
import { unfoundOffers } from '../../../db/checks/search-rows.ts';
import { unlistedDeliveries } from '../../../db/checks/webhook-rows.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { readActivity } from '../../../db/statistics/activity.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVariant, seedVendor } from '../../support/seeds/seed.ts';
import { seedReturn } from '../../support/returns/seed-returns.ts';
import * as rows from '../webhooks/delivery-rows.ts';

/** A migration derives the rows that triggers keep from the rows of before the triggers. */

const keepers = [
  'keep_waiting_offers',
  'count_offers',
  'count_groups',
  'count_returns',
  'count_audit',
  'count_attempts',
  'count_deliveries',
  'set_listed_state',
];

/** Takes a database to the instant at which an upgrade has the tables and none of the triggers. */
async function dropTriggers(sql: Sql): Promise<void> {
  const triggers = await sql<{ name: string; table: string }[]>`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid where proname = any(${keepers})`;
  expect(triggers.length).toBeGreaterThan(keepers.length);
  for (const { name, table } of triggers) await sql`drop trigger ${sql(name)} on ${sql(table)}`;
  await sql`
    update schema_functions set checksum = 'of an earlier version', derived_checksum = null
    where name = any(${keepers.map((name) => `${name}.sql`)})`;
  // The migration began in the hour before.
  await sql`
    update schema_functions set applied_at = date_trunc('hour', now()) - interval '1 second'
    where name = 'activity_owners.sql'`;
}

const derived: Readonly<Record<string, Scan>> = {
  'waiting offers': unfoundOffers,
  'deliveries by state': unlistedDeliveries,
  ...countChecks,
};

/** What the doctor finds wrong in derived rows, by its kind. */
async function findWrong(sql: Sql): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const [name, check] of Object.entries(derived))
    for await (const { wrong } of scanRows(sql, check, 0))
      found[name] = (found[name] ?? 0) + wrong.length;
  return found;
}

const nothing = Object.fromEntries(Object.keys(derived).map((name) => [name, 0]));

/** One delivery in each state, as far as attempts lead there. */
const results = [rows.success, {}, rows.deadLetter, { state: 'failed' }] as const;

/** One of each thing that is counted. */
async function write(sql: Sql, variantId: string, subscriber: rows.Subscriber): Promise<void> {
  const { vendorId } = subscriber;
  await seedOffer(sql, vendorId);
  await seedReturn(sql, { vendorId, variantId });
  await rows.addDelivery(sql, subscriber);
  for (const result of results)
    await rows.attempt(sql, await rows.addDelivery(sql, subscriber), result);
}

test('derives all that writers store before and during a migration', async ({ database, sql }) => {
  const vendors = [await seedVendor(sql), await seedVendor(sql)];
  const variantId = await seedVariant(sql);
  const subscriber = await rows.newSubscriber(sql);
  await dropTriggers(sql);
  for (const vendorId of vendors) await seedOffer(sql, vendorId);
  const lost = await rows.addDelivery(sql, subscriber);
  await sql`delete from delivery_queue where delivery_id = ${lost}`;
  for (let each = 0; each < 5; each += 1) await write(sql, variantId, subscriber);
  expect(await findWrong(sql)).not.toEqual(nothing);
  const state = { isMigrating: true, written: 0 };
  const writing = (async () => {
    while (state.isMigrating) {
      await write(sql, variantId, subscriber);
      state.written += 1;
    }
  })();
  await migrate(database.url, () => undefined);
  state.isMigrating = false;
  await writing;
  expect(state.written).toBeGreaterThan(0);
  expect(await findWrong(sql)).toEqual(nothing);
  const hours = await readActivity(sql, { vendorId: subscriber.vendorId, unit: 'hour' });
  const sumOf = (name: 'delivered' | 'returnsRequested') =>
    hours.reduce((sum, hour) => sum + hour[name], 0);
  expect(sumOf('delivered')).toBe(5 + state.written);
  expect(sumOf('returnsRequested')).toBe(5 + state.written);
});

test('derives no failure from a lost attempt or the end of a subscription', async ({
  database,
  sql,
}) => {
  const subscriber = await rows.newSubscriber(sql);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  await rows.mustBegin(sql, deliveryId);
  await rows.attempt(sql, deliveryId, {}, 1);
  const waiting = await rows.addDelivery(sql, subscriber);
  const off = [{ id: subscriber.subscriptionId, reason: 'any' }];
  await sql.begin((transaction) => deactivateSubscriptions(transaction, off));
  expect(await rows.attemptTexts(sql, deliveryId)).toEqual([
    '1 worker_lost',
    '2 http_status 500',
    '3 subscription_inactive',
  ]);
  expect(await rows.attemptTexts(sql, waiting)).toEqual(['1 subscription_inactive']);
  await sql`
    update schema_functions set checksum = 'of an earlier version', derived_checksum = null
    where name = 'count_deliveries.sql'`;
  await migrate(database.url, () => undefined);
  const hours = await readActivity(sql, { vendorId: subscriber.vendorId, unit: 'hour' });
  expect(hours.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
});
