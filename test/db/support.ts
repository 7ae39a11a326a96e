import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { inject, onTestFinished } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Pool, type Queryable, type Sql } from '../../db/core/client.ts';
import { insertOffers } from '../../db/offers/insert-offers.ts';
import { upsertSupplyOptions } from '../../db/offers/supply-options.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { insertSubscription } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { addVendor, costPlus } from '../support/api/actors.ts';

export { addVendor };

/** A pool that ends with the test. */
export function pool(url: string, max = 10): Pool {
  const sql = connect(url, { max, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 5 }));
  return sql;
}

/** A database without any table, gone with the test. */
export async function createEmptyDatabase(): Promise<string> {
  const adminUrl = inject('postgresAdminUrl');
  const admin = postgres(adminUrl, { max: 1 });
  const name = `test_empty_${randomUUID().replaceAll('-', '')}`;
  await admin`create database ${admin(name)}`;
  onTestFinished(async () => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin.end();
  });
  return adminUrl.replace(/[^/]+$/, name);
}

/** An empty database with a connection, and a log that keeps its lines. */
export async function emptyDatabase() {
  const url = await createEmptyDatabase();
  const lines: string[] = [];
  return { url, sql: pool(url, 1), lines, log: (line: string) => lines.push(line) };
}

/** Stores a new offer with the instants and the supply option that it has; returns it. */
export async function insertGivenOffer(sql: Queryable, offer: Offer): Promise<Offer> {
  if ((await insertOffers(sql, [offer])).size === 0) throw new Error('not stored');
  const { id, createdAt, changedAt, awaitingSince } = offer;
  await sql`
    update offers set created_at = ${createdAt}, changed_at = ${changedAt},
      awaiting_since = ${awaitingSince} where id = ${id}`;
  if (offer.supply !== null)
    await upsertSupplyOptions(sql, [{ after: offer, agreement: costPlus }]);
  return offer;
}

export async function addSubscription(
  sql: Sql,
  vendorId: string,
  eventTypes: readonly EventType[] = ['vendor.offer.review-decision'],
): Promise<string> {
  const id = uuidv7();
  const url = 'https://vendor.example.org/hook';
  const secretSealed = Buffer.from('sealed');
  const made = await insertSubscription(sql, { id, vendorId, url, eventTypes, secretSealed });
  if (made === null) throw new Error('the vendor has five already');
  return id;
}

export async function countOf(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from ${sql(table)}`;
  return row.count;
}

/** The value at an index, which goes round. */
export function pick<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
}

/** A promise and what settles it. */
export function deferred<T>() {
  const settlers: ((value: T) => void)[] = [];
  const promise = new Promise<T>((resolve) => {
    settlers.push(resolve);
  });
  return {
    promise,
    resolve: (value: T) => {
      for (const settle of settlers) settle(value);
    },
  };
}

export type Message = {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** The messages to the workflow of one subject, in their order. */
export const messagesTo = async (sql: Queryable, subjectId: string) => [
  ...(await sql<Message[]>`
    select kind, payload from outbox where subject_id = ${subjectId} order by id`),
];
