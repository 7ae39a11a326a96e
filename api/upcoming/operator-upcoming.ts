import { upcomingKinds } from '../../domain/upcoming.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import {
  enumParameter,
  instantParameter,
  pageParameters,
  query,
  vendorIdParameter,
} from '../validation/query.ts';
import { readUpcoming } from './read-upcoming.ts';
import { operatorUpcomingAnswer, operatorUpcomingPage } from './upcoming-response.ts';

/** The upcoming changes of all vendors. */
export const operatorUpcomingRoute: AddRoutes = (app, { lists, failureLimit }) => {
  operatorRoutes(app, { role: 'Operations', tag: 'Operator: upcoming' })(
    'GET /operator/v1/upcoming',
    {
      operationId: 'listUpcomingOfVendors',
      summary: 'List upcoming changes of all vendors, nearest first',
      description:
        'Lists the changes that timers will cause, as a vendor reads its own. Of each kind it has ' +
        'the nearest 500: `completeUntil` says from when on some are missing.',
      query: query({
        ...pageParameters,
        vendorId: vendorIdParameter,
        kind: described(enumParameter(upcomingKinds), 'Only this kind.', 'ReturnInspectionEnd'),
        before: described(
          instantParameter,
          'Only changes before this instant. RFC 3339 with a time and an offset or `Z`.',
          '2026-11-30T00:00:00Z',
        ),
      }),
      payload: operatorUpcomingPage,
    },
    async ({ query: { vendorId, kind, before, ...page } }) => {
      const asked = { vendorId, before, kinds: kind === null ? upcomingKinds : [kind] };
      const { completeUntil, ...found } = await readUpcoming(
        { sql: lists, failureLimit },
        asked,
        page,
      );
      return { ...pagePayload(found, page, operatorUpcomingAnswer), completeUntil };
    },
  );
};
