import type { Sql } from '../../../db/core/client.ts';

/**
 * Runs `work` while each row of the change, such as `insert on audit_log`, fails. `when` is an SQL
 * condition on `new`.
 */
export async function whileFailing<T>(
  sql: Sql,
  change: string,
  work: () => Promise<T>,
  { when = 'true', code = 'P0001' } = {},
): Promise<T> {
  await sql.unsafe(`
    create function fail_change() returns trigger language plpgsql as $$ begin
      if ${when} then raise exception 'hidden' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger fail_change before ${change} for each row execute function fail_change()`);
  try {
    return await work();
  } finally {
    await sql.unsafe('drop function fail_change cascade');
  }
}
