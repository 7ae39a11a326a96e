import type { Fragment } from 'postgres';
import type { Queryable, Sql } from '../core/client.ts';

/** A row that is wrong, and how, in words that quote no stored text. */
export type WrongRow = {
  readonly id: string;
  readonly text: string;
  /** The run that is concerned. Default: that of the subject, if it has one. */
  readonly workflowId?: string;
};

/** What one statement finds wrong in each page of a table. */
export type Scan = {
  /** What is read page by page, in the order of its ids: a table, or a subquery. */
  readonly source: string;
  /** The ids of a page. */
  readonly pageSize: number;
  /**
   * Selects `id` and `text` of what is wrong among the ids of the table `page`. The webhook history
   * is kept for `retentionMs`.
   */
  readonly wrong: (sql: Queryable, retentionMs: number) => Fragment;
  /** Repairs what is wrong with these ids, and returns their number. */
  readonly repair?: (sql: Sql, ids: readonly string[]) => Promise<number>;
};

/** One page of a scan. */
export type ScannedPage = { readonly checked: number; readonly wrong: readonly WrongRow[] };

/** What a check of the doctor is called. */
export type CheckTitle = {
  /** Stable, in kebab case. */
  readonly id: string;
  /** The condition that holds if nothing is wrong. */
  readonly title: string;
  /** The kind of the subjects, whose ids the wrong rows have, such as `offer`. */
  readonly subjectType: string;
};

/** A check of the doctor that reads a table page by page. */
export type TableCheck = CheckTitle & Scan;

/** A check of the doctor that reads all its rows at once, because they are few. */
export type SmallCheck = CheckTitle &
  Pick<Scan, 'repair'> & { readonly read: (sql: Queryable) => Promise<ScannedPage> };

/** The page of a statement that reads only what is wrong. */
export async function pageOfWrong(rows: PromiseLike<readonly WrongRow[]>): Promise<ScannedPage> {
  const wrong = await rows;
  return { checked: wrong.length, wrong };
}

/** Reads a table from its first id to its last one. Each page is one statement, one snapshot. */
export async function* scanRows(
  sql: Queryable,
  { source, pageSize, wrong }: Scan,
  retentionMs: number,
): AsyncGenerator<ScannedPage> {
  for (let after: string | null = null; ;) {
    const isAfter: Fragment = after === null ? sql`` : sql`where id > ${after}`;
    const [row]: readonly (ScannedPage & { readonly last: string | null })[] = await sql<
      [ScannedPage & { readonly last: string | null }]
    >`
      with page as materialized (
        select id from ${sql.unsafe(source)} ${isAfter} order by id limit ${pageSize}
      ), wrong as materialized (${wrong(sql, retentionMs)})
      select (select count(*)::int from page) as checked,
        (select id::text from page order by id desc limit 1) as last,
        (
          select coalesce(jsonb_agg(jsonb_build_object('id', id, 'text', text)), '[]') from wrong
        ) as wrong`;
    if (row === undefined || row.last === null) return;
    yield { checked: row.checked, wrong: row.wrong };
    if (row.checked < pageSize) return;
    after = row.last;
  }
}
