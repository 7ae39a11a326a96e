import type { Sql } from '../../../db/core/client.ts';

/** What statements wrote to a table. */
export type WrittenRows = {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  /** The rows of `updated` that write no index: heap-only tuples. */
  readonly hot: number;
  readonly deleted: number;
  readonly walBytes: number;
};

const positionOf = async (sql: Sql): Promise<string> => {
  const [row] = await sql<[{ position: string }]>`
    select pg_current_wal_insert_lsn()::text as position`;
  return row.position;
};

/**
 * Reads what a database writes from now on, from its write-ahead log: neither the moment at which
 * Postgres publishes its statistics nor the other databases of the server matter.
 */
export async function watchWal(sql: Sql) {
  await sql`create extension if not exists pg_walinspect`;
  let from = await positionOf(sql);
  return {
    skip: async (): Promise<void> => {
      from = await positionOf(sql);
    },
    /**
     * What was written since `skip`, by table. Its indexes and its TOAST table count to it. Work on
     * full pages and on full lists of pending entries is left out: it comes once in many
     * operations.
     */
    read: async (): Promise<readonly WrittenRows[]> => {
      const to = await positionOf(sql);
      // A commit that waits for its flush flushes all before it. The background writer leaves a
      // page that is not full, unless it ends with a commit.
      await sql.begin(async (transaction) => {
        await transaction`set local synchronous_commit = on`;
        await transaction`select pg_logical_emit_message(true, 'costs', '')`;
      });
      return sql<WrittenRows[]>`
        with blocks as (
          select distinct on (start_lsn) start_lsn, relfilenode as filenode
          from pg_get_wal_block_info(${from}::pg_lsn, ${to}::pg_lsn, false)
          where reldatabase = (select oid from pg_database where datname = current_database())
          order by start_lsn, block_id
        ), files as (
          select pg_relation_filenode(class.oid) as filenode, class.relkind = 'r' as has_rows,
            coalesce(heap.relname, indexed.relname, class.relname)::text as table
          from pg_class as class
          left join pg_index on indexrelid = class.oid
          left join pg_class as indexed on indexed.oid = indrelid
          left join pg_class as heap
            on heap.reltoastrelid <> 0 and heap.reltoastrelid in (class.oid, indexed.oid)
          where class.relkind in ('r', 'i', 't', 'S')
        )
        select coalesce(files.table, 'commits') as table,
          count(*) filter (where record_type like 'INSERT%' and is_heap)::int as inserted,
          count(*) filter (where record_type ~ '^(HOT_)?UPDATE' and is_heap)::int as updated,
          count(*) filter (where record_type like 'HOT_UPDATE%' and is_heap)::int as hot,
          count(*) filter (where record_type like 'DELETE%' and is_heap)::int as deleted,
          sum(record_length)::int as wal_bytes
        from pg_get_wal_records_info(${from}::pg_lsn, ${to}::pg_lsn) as record
        left join blocks using (start_lsn)
        left join files using (filenode)
        cross join lateral (select resource_manager = 'Heap' and has_rows as is_heap) as kind
        where (files.table is not null or resource_manager = 'Transaction')
          and record_type !~ '^(SPLIT|NEWROOT|INSERT_UPPER|DEDUP|PRUNE|VACUUM|REUSE)'
          -- Of a GIN index, what a statement appends to its list of pending entries.
          and (resource_manager <> 'Gin' or record_type in ('UPDATE_META_PAGE', 'INSERT_LISTPAGE'))
        group by 1 order by 1`;
    },
  };
}
