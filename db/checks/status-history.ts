import type { TableCheck } from './scan.ts';

/** Rows whose latest status change is not the one to their status. */
const wrongHistory = (subjectType: 'offer' | 'return', table: string): TableCheck => ({
  id: `${subjectType}-history`,
  title: `Each ${subjectType} has the status of its history`,
  subjectType,
  source: table,
  pageSize: 5000,
  wrong: (sql) =>
    sql.unsafe(`
    select subject.id, format('is %s, and its latest status change is to %s', subject.status,
      coalesce(latest.to_status, 'nothing')) as text
    from page join ${table} as subject on subject.id = page.id
    left join lateral (
      select to_status from ${subjectType}_status_changes
      where ${subjectType}_id = subject.id order by id desc limit 1
    ) as latest on true
    where latest.to_status is distinct from subject.status`),
});

export const wrongOfferHistory = wrongHistory('offer', 'offers');
export const wrongReturnHistory = wrongHistory('return', 'return_requests');
