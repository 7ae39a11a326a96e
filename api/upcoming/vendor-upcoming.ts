import { capabilityForUpcoming, upcomingKinds, type UpcomingKind } from '../../domain/upcoming.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError } from '../http/api-error.ts';
import { pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { enumParameter, instantParameter, pageParameters, query } from '../validation/query.ts';
import { readUpcoming } from './read-upcoming.ts';
import { upcomingAnswer, upcomingKindText, upcomingPage } from './upcoming-response.ts';

/** The upcoming changes of a vendor (D95). */
export const vendorUpcomingRoute: AddRoutes = (app, { lists, failureLimit }) => {
  const route = vendorRoutes(app, { capability: ['Orders', 'Account'], tag: 'Upcoming' });
  route(
    'GET /api/v1/upcoming',
    {
      operationId: 'listUpcoming',
      summary: 'List upcoming changes, nearest first',
      description:
        'Lists the changes that timers will cause, with their instants and how to prevent each. ' +
        'A past instant is overdue. Of each kind it has the nearest 500: `completeUntil` says ' +
        'from when on some are missing.',
      query: query({
        ...pageParameters,
        kind: described(enumParameter(upcomingKinds), 'Only this kind.', upcomingKindText[1]),
        before: described(
          instantParameter,
          'Only changes before this instant. RFC 3339 with a time and an offset or `Z`.',
          '2026-11-30T00:00:00Z',
        ),
      }),
      payload: upcomingPage,
    },
    async ({ caller, query: { kind, before, ...page } }) => {
      const kinds = kindsFor(caller, kind);
      const { vendorId } = caller;
      const asked = { vendorId, before, kinds };
      const { completeUntil, ...found } = await readUpcoming(
        { sql: lists, failureLimit },
        asked,
        page,
      );
      return { ...pagePayload(found, page, upcomingAnswer), kinds, completeUntil };
    },
  );
};

/** The kinds that a token may read. Throws 403 if it may not read the one that it asks for. */
function kindsFor({ capabilities }: VendorCaller, wanted: UpcomingKind | null): UpcomingKind[] {
  const isGranted = (kind: UpcomingKind) => capabilities.includes(capabilityForUpcoming[kind]);
  if (wanted === null) return upcomingKinds.filter(isGranted);
  if (isGranted(wanted)) return [wanted];
  const requiredCapability = capabilityForUpcoming[wanted];
  throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability });
}
