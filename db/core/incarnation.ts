import type { Queryable } from './client.ts';
import { valueOf } from './rows.ts';

/**
 * A text that changes when the server restarts, and when tables are created, or truncated and
 * loaded again. After a restore it differs from the text before.
 */
export const readIncarnation = (sql: Queryable): Promise<string> =>
  valueOf(sql`
    select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
      (select oid from pg_database where datname = current_database()),
      pg_relation_filenode('offers'), pg_relation_filenode('return_requests'),
      pg_relation_filenode('webhook_deliveries'))`);
