import type { ClockMove } from '../../domain/clock/clock-moves.ts';
import type { Queryable } from '../core/client.ts';

/**
 * The time by a vendor's clock, and the moves of that clock in their order: all, or those from an
 * instant on.
 */
export async function readClockMoves(sql: Queryable, vendorId: string, since: Date | null) {
  const [clock] = await sql<[{ readonly now: Date; readonly moves: readonly ClockMove[] }]>`
    select business_now(vendors.clock_offset, clock_stands_at) as now, coalesce((
      select jsonb_agg(jsonb_build_object(
        -- A move of an unknown instant is before every other instant.
        'movedAtMs', extract(epoch from greatest(moved_at, 'epoch')) * 1000,
        'offsetMs', extract(epoch from clock_moves.clock_offset) * 1000,
        'standsAtMs', extract(epoch from stands_at) * 1000
      ) order by moved_at)
      from clock_moves where vendor_id = vendors.id
        and moved_at >= coalesce(${since}::timestamptz, '-infinity')
    ), '[]') as moves
    from vendors where vendors.id = ${vendorId}`;
  return clock;
}
