import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/**
 * The parts of a statement that gives many offers of a vendor their change times by one call of
 * offer_change_time, which costs more than the update of a row. The offers must be locked before:
 * the statement must wait for no other writer after that call. The times are a microsecond apart,
 * so that a page may end between any two.
 */
export type ChangeTimes = {
  /** A CTE that the update must follow. */
  readonly begun: Fragment;
  /** The assignment, after others; `position` is an expression that counts the rows from 1. */
  readonly assign: (position: Fragment) => Fragment;
  /** The end of the update's `from`. */
  readonly join: Fragment;
};

/** `lockedOf` is the vendor; null: the trigger gives each offer its time. */
export const changeTimes = (sql: Queryable, lockedOf: string | null): ChangeTimes =>
  lockedOf === null
    ? { begun: sql``, assign: () => sql``, join: sql`` }
    : {
        begun: sql`, begun as materialized (select offer_change_time(${lockedOf}) as at)`,
        assign: (position) =>
          sql`, change_time = begun.at + ${position} * interval '1 microsecond'`,
        join: sql`cross join begun`,
      };
