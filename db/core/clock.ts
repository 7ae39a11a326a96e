import type { Fragment } from 'postgres';
import type { Queryable } from './client.ts';
import { valueOf } from './rows.ts';

/** The instant by the business clock of the vendor with an id, which may be null. */
export const businessNowOf = (sql: Queryable, vendorId: Fragment): Fragment => sql`
  coalesce(
    (
      select business_now(clock_offset, clock_stands_at) from vendors
      where vendors.id = ${vendorId}
    ),
    business_now(null)
  )`;

/** The instant by the vendor's business clock; real time without a vendor. */
export const businessNow = (sql: Queryable, vendorId: string | null): Promise<Date> =>
  valueOf(sql`select ${businessNowOf(sql, sql`${vendorId}`)}`);

/** A clock that continues from an instant of the database and does not use this machine's clock. */
export function clockFrom(instant: Date): () => Date {
  const readMs = performance.now();
  return () => new Date(instant.getTime() + performance.now() - readMs);
}
