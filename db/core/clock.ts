import type { Queryable } from './client.ts';

/** The instant by the vendor's business clock (D131); real time without a vendor. */
export async function businessNow(sql: Queryable, vendorId: string | null): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`
    select business_now((select clock_offset from vendors where id = ${vendorId})) as now`;
  return row.now;
}

/** A clock that continues from an instant of the database and does not use this machine's clock. */
export function clockFrom(instant: Date): () => Date {
  const readMs = performance.now();
  return () => new Date(instant.getTime() + performance.now() - readMs);
}
