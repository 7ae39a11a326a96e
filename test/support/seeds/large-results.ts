import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';

/** Seeds a finished job whose file of results has some 40 MB, and returns its id. */
export async function seedLargeResults(sql: Sql, vendorId: string): Promise<string> {
  const id = uuidv7();
  await sql`
    insert into bulk_jobs (id, vendor_id, kind, state, item_count, done_count, ended_at)
    values (${id}, ${vendorId}, 'createOffers', 'Finished', 10000, 10000, now())`;
  await sql`
    insert into bulk_job_results (job_id, index, http_status, state, details)
    select ${id}, index, 400, 'VALIDATION_ERRORS', jsonb_build_object('text', repeat('x', 4000))
    from generate_series(0, 9999) as index`;
  return id;
}
