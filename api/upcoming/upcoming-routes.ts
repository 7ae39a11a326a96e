import type { Sql } from '../../db/core/client.ts';
import type { PageRequest } from '../../db/lists/page.ts';
import type { FailureLimit } from '../../db/webhooks/attempts/record-attempts.ts';
import { capabilityForUpcoming, upcomingKinds, type UpcomingKind } from '../../domain/upcoming.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { operatorRoutes, vendorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError } from '../http/api-error.ts';
import { enumParameter, instantParameter, query, vendorIdParameter } from '../validation/query.ts';
import { upcomingSources, type Upcoming } from './upcoming-items.ts';
import {
  toOperatorUpcomingResponse,
  operatorUpcomingPage,
  toUpcomingResponse,
  upcomingKindText,
  upcomingPage,
} from './upcoming-response.ts';

/** The most changes of each kind in the list, the nearest ones. */
const perKindMax = 500;

/**
 * A page of the listed changes, of a vendor or (null) of all vendors, and the instant of the first
 * one that may be missing.
 */
export async function readUpcoming<TForm>(
  { lists, failureLimit }: { readonly lists: Sql; readonly failureLimit: FailureLimit },
  {
    kinds,
    ...asked
  }: {
    readonly kinds: readonly UpcomingKind[];
    readonly vendorId: string | null;
    readonly before: string | null;
  },
  page: PageRequest,
  toForm: (change: Upcoming) => TForm,
) {
  const found = await Promise.all(
    kinds.map((kind) =>
      upcomingSources[kind](lists, { ...asked, limit: perKindMax + 1 }, failureLimit),
    ),
  );
  const sorted = found.map((events) => events.toSorted(byInstant));
  const missing = sorted.flatMap((events) => events[perKindMax] ?? []).toSorted(byInstant);
  const events = sorted.flatMap((events) => events.slice(0, perKindMax)).toSorted(byInstant);
  const start = (page.page - 1) * page.pageSize;
  const items = events.slice(start, start + page.pageSize);
  return {
    items: items.map(toForm),
    totalCount: events.length,
    completeUntil: missing[0]?.at ?? null,
  };
}

/** A stable order, so that pages fit together. */
const byInstant = (one: Upcoming, other: Upcoming): number =>
  one.at.getTime() - other.at.getTime() || one.link.localeCompare(other.link);

const upcomingParameters = {
  kind: enumParameter(upcomingKinds, 'Only this kind.', upcomingKindText[1]),
  before: instantParameter(
    'Only changes before this instant. RFC 3339 with a time and an offset or `Z`.',
    '2026-11-30T00:00:00Z',
  ),
};

/** The upcoming changes of a vendor. */
export const vendorUpcomingRoute: AddRoutes = (app, dependencies) => {
  const route = vendorRoutes(app, { capability: ['Orders', 'Account'], tag: 'Upcoming' });
  route({
    at: 'GET /api/v1/upcoming',
    operationId: 'listUpcoming',
    summary: 'List upcoming changes, nearest first',
    description:
      'Lists the changes that timers will cause, with their instants and how to prevent each. ' +
      'A past instant is overdue. Of each kind it has the nearest 500: `completeUntil` says ' +
      'from when on some are missing.',
    query: query(upcomingParameters),
    payload: upcomingPage,
    handler: async ({ caller, query: { kind, before }, page }) => {
      const kinds = kindsFor(caller, kind);
      const asked = { vendorId: caller.vendorId, before, kinds };
      return { ...(await readUpcoming(dependencies, asked, page, toUpcomingResponse)), kinds };
    },
  });
};

/** The kinds that a token may read. Throws 403 if it may not read the kind that it asks for. */
function kindsFor({ capabilities }: VendorCaller, wanted: UpcomingKind | null): UpcomingKind[] {
  const isGranted = (kind: UpcomingKind) => capabilities.includes(capabilityForUpcoming[kind]);
  if (wanted === null) return upcomingKinds.filter(isGranted);
  if (isGranted(wanted)) return [wanted];
  const requiredCapability = capabilityForUpcoming[wanted];
  throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability });
}

/** The upcoming changes of all vendors. */
export const operatorUpcomingRoute: AddRoutes = (app, dependencies) => {
  operatorRoutes(app, { role: 'Operations', tag: 'Operator: upcoming' })({
    at: 'GET /operator/v1/upcoming',
    operationId: 'listUpcomingOfVendors',
    summary: 'List upcoming changes of all vendors, nearest first',
    description:
      'Lists the changes that timers will cause, as a vendor reads its own. Of each kind it has ' +
      'the nearest 500: `completeUntil` says from when on some are missing.',
    query: query({ vendorId: vendorIdParameter, ...upcomingParameters }),
    payload: operatorUpcomingPage,
    handler: ({ query: { vendorId, kind, before }, page }) => {
      const asked = { vendorId, before, kinds: kind === null ? upcomingKinds : [kind] };
      return readUpcoming(dependencies, asked, page, toOperatorUpcomingResponse);
    },
  });
};
