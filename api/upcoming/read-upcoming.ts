import type { Sql } from '../../db/core/client.ts';
import type { Page, PageRequest } from '../../db/lists/page.ts';
import type { FailureLimit } from '../../db/webhooks/attempts/record-attempts.ts';
import type { UpcomingKind } from '../../domain/upcoming.ts';
import { upcomingSources, type Upcoming } from './upcoming-items.ts';

/** The most changes of each kind in the list, the nearest ones (D95). */
const perKindMax = 500;

/**
 * A page of the listed changes, of a vendor or (null) of all vendors, and the instant of the first
 * one that may be missing.
 */
export async function readUpcoming(
  { sql, failureLimit }: { readonly sql: Sql; readonly failureLimit: FailureLimit },
  {
    kinds,
    ...asked
  }: {
    readonly kinds: readonly UpcomingKind[];
    readonly vendorId: string | null;
    readonly before: string | null;
  },
  { page, pageSize }: PageRequest,
): Promise<Page<Upcoming> & { readonly completeUntil: string | null }> {
  const found = await Promise.all(
    kinds.map((kind) =>
      upcomingSources[kind](sql, { ...asked, limit: perKindMax + 1 }, failureLimit),
    ),
  );
  const sorted = found.map((events) => events.toSorted(byInstant));
  const missing = sorted.flatMap((events) => events[perKindMax] ?? []).toSorted(byInstant);
  const events = sorted.flatMap((events) => events.slice(0, perKindMax)).toSorted(byInstant);
  const start = (page - 1) * pageSize;
  return {
    items: events.slice(start, start + pageSize),
    totalCount: events.length,
    completeUntil: missing[0]?.at.toISOString() ?? null,
  };
}

/** A stable order, so that pages fit together. */
const byInstant = (one: Upcoming, other: Upcoming): number =>
  one.at.getTime() - other.at.getTime() || one.link.localeCompare(other.link);
