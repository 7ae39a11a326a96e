import type { Queryable } from '../core/client.ts';
import { deleteOld } from '../core/delete-old.ts';
import { firstOf } from '../core/rows.ts';

/** How long a key names the same call. */
export const keyHours = 24;

/** The response of a call with a key. */
export type KeptResponse = {
  readonly requestSha256: Uint8Array;
  readonly status: number;
  readonly answerSealed: Uint8Array;
};
/**
 * A key with its response; `id` is the SHA-256 of the caller and the key. `vendorId` is the vendor
 * whose reset deletes it.
 */
export type KeyToStore = KeptResponse & { readonly id: Buffer; readonly vendorId: string | null };

/**
 * Waits until no other transaction has this key, and keeps the key until the transaction ends. The
 * statement's time limit ends a long wait.
 */
export async function lockKey(sql: Queryable, id: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id.toString('hex')}, 5))`;
}

/** The response that is kept under a key; null for none and for an expired one. */
export const findKeptResponse = (sql: Queryable, id: Buffer): Promise<KeptResponse | null> =>
  firstOf(sql<KeptResponse[]>`
    select request_sha256, status, answer_sealed from idempotency_keys
    where id = ${id} and created_at > clock_timestamp() - ${keyHours} * interval '1 hour'`);

/** Keeps the response of a locked key, instead of an expired one. */
export async function storeKey(sql: Queryable, key: KeyToStore): Promise<void> {
  await sql`
    insert into idempotency_keys
      ${sql(key, 'id', 'vendorId', 'requestSha256', 'status', 'answerSealed')}
    on conflict (id) do update set vendor_id = excluded.vendor_id,
      request_sha256 = excluded.request_sha256, status = excluded.status,
      answer_sealed = excluded.answer_sealed, created_at = excluded.created_at`;
}

/** Deletes the expired keys. */
export const pruneKeys = (sql: Queryable): Promise<void> =>
  deleteOld(sql, {
    table: 'idempotency_keys',
    key: 'id',
    instant: 'created_at',
    age: `${keyHours} hours`,
  });
