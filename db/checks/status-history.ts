import type { RowCheck } from './scan.ts';

/** Rows whose latest status change is not the one to their status. */
const wrongHistory = (table: string, changes: string, reference: string): RowCheck => ({
  source: table,
  pageSize: 5000,
  wrong: (sql) =>
    sql.unsafe(`
    select subject.id, format('is %s, and its latest status change is to %s', subject.status,
      coalesce(latest.to_status, 'nothing')) as text
    from page join ${table} as subject on subject.id = page.id
    left join lateral (
      select to_status from ${changes} where ${reference} = subject.id order by id desc limit 1
    ) as latest on true
    where latest.to_status is distinct from subject.status`),
});

export const wrongOfferHistory = wrongHistory('offers', 'offer_status_changes', 'offer_id');
export const wrongReturnHistory = wrongHistory(
  'return_requests',
  'return_status_changes',
  'return_id',
);
