import * as v from 'valibot';
import { resetSandbox } from '../../db/accounts/vendors.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { audit } from '../operator/audit.ts';
import { described } from '../validation/described.ts';
import { titled } from '../validation/response-parts.ts';

const payload = titled('SandboxReset', {
  state: described(
    v.literal('Resetting'),
    'The rows are deleted; their runs end now.',
    'Resetting',
  ),
});

/** Begins again with an empty vendor. */
export const sandboxResetRoute: AddRoutes = (app, { sql }) => {
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  route({
    at: 'POST /api/v1/sandbox/reset',
    operationId: 'sandboxReset',
    summary: 'Delete your offers, orders, returns, events and jobs',
    description:
      'Deletes your offers, orders, returns, events and jobs in one step, and ends their ' +
      'workflow runs. Credentials, subscriptions, the agreement and the clock stay. Events get ' +
      'higher numbers than before. A repeated call deletes what was created since. The call ' +
      'takes no body.',
    payload,
    statuses: [202],
    isRepeatable: true,
    handler: async ({ caller: { vendorId }, request }) => {
      await sql.begin(async (transaction) => {
        await resetSandbox(transaction, vendorId);
        await audit(transaction, request, 'vendor.reset', vendorId, { before: null, after: null });
      });
      return { state: 'Resetting' as const };
    },
  });
};
