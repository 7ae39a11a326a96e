import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { createTokenCheck } from '../db/accounts/operators.ts';
import { operatorAgreementRoute } from './accounts/operator-agreement.ts';
import { operatorCredentialRoutes } from './accounts/operator-credentials.ts';
import { operatorVendorRoutes } from './accounts/operator-vendors.ts';
import { vendorCredentialRoutes } from './accounts/vendor-credentials.ts';
import { vendorProfileRoutes } from './accounts/vendor-profile.ts';
import { authenticateOperators, authenticateVendors } from './auth/authenticate.ts';
import { jwksRoute } from './auth/jwks-route.ts';
import { operatorAuthTokenRoute, authTokenRoute } from './auth/token-routes.ts';
import type { AddRoutes } from './define-route.ts';
import type { Dependencies } from './dependencies.ts';
import { healthRoutes } from './http/health-routes.ts';
import { explainSlowLists, applyVendorQuotas } from './http/quotas/vendor-quotas.ts';
import { operatorJobRoutes } from './jobs/operator-jobs.ts';
import { operatorReviewJobRoutes } from './jobs/operator-review-jobs.ts';
import { vendorJobStartRoute } from './jobs/vendor-job-start.ts';
import { vendorJobRoutes } from './jobs/vendor-jobs.ts';
import { vendorBulkStockRoute } from './offers/bulk/vendor-bulk-stock.ts';
import { operatorOfferEntryRoute } from './offers/operators/operator-offer-entry.ts';
import { operatorOfferMoveRoutes } from './offers/operators/operator-offer-moves.ts';
import { operatorReviewDecisionRoutes } from './offers/operators/operator-review-decisions.ts';
import { operatorReviewQueueRoutes } from './offers/operators/operator-review-queue.ts';
import { operatorVariantRoutes } from './offers/operators/operator-variants.ts';
import { vendorOfferCreateRoute } from './offers/vendor-offer-create.ts';
import { vendorOfferMoveRoutes } from './offers/vendor-offer-moves.ts';
import { vendorOfferReadRoutes } from './offers/vendor-offer-reads.ts';
import { vendorOfferUpdateRoute } from './offers/vendor-offer-update.ts';
import { vendorPricePushRoutes, vendorStockPushRoute } from './offers/vendor-pushes.ts';
import { vendorVariantRoute } from './offers/vendor-variants.ts';
import { operatorAuditRoute } from './operator/audit-route.ts';
import { operatorDoctorRoute } from './operator/doctor-route.ts';
import { operatorMeRoutes } from './operator/me-routes.ts';
import { operatorNoteRoutes } from './operator/note-routes.ts';
import { operatorAccountRoutes } from './operator/operators.ts';
import { operatorGroupRoutes } from './orders/operator-groups.ts';
import { operatorOrderRoutes } from './orders/operator-orders.ts';
import { vendorGroupRoutes } from './orders/vendor-groups.ts';
import { operatorReturnMoveRoutes } from './returns/operator-return-moves.ts';
import { operatorReturnRoutes } from './returns/operator-returns.ts';
import { vendorReturnRoutes } from './returns/vendor-returns.ts';
import { operatorStatisticsRoute } from './statistics/operator-statistics.ts';
import { sandboxAgreementRoute, sandboxRegistrationRoute } from './sandbox/sandbox-accounts.ts';
import { sandboxOfferRoutes } from './sandbox/sandbox-offers.ts';
import { actAsSandbox } from './sandbox/sandbox-operator.ts';
import { sandboxOrderRoutes } from './sandbox/sandbox-orders.ts';
import { sandboxResetRoute } from './sandbox/sandbox-reset.ts';
import { sandboxReturnRoutes } from './sandbox/sandbox-returns.ts';
import { operatorUpcomingRoute, vendorUpcomingRoute } from './upcoming/upcoming-routes.ts';
import { sandboxClockRoutes } from './sandbox/clock-routes.ts';
import { query } from './validation/query.ts';
import { operatorWebhookRoutes } from './webhooks/operator-webhooks.ts';
import { vendorEventRoutes } from './webhooks/vendor-events.ts';
import { vendorWebhookAttemptRoutes } from './webhooks/vendor-webhook-attempts.ts';
import { vendorWebhookDeliveryRoutes } from './webhooks/vendor-webhook-deliveries.ts';
import { vendorWebhookSubscriptionRoutes } from './webhooks/vendor-webhook-subscriptions.ts';
import { vendorWebhookSwitchRoutes } from './webhooks/vendor-webhook-switches.ts';
import { vendorWebhookUpdateRoutes } from './webhooks/vendor-webhook-update.ts';

const tokenRoutes: readonly AddRoutes[] = [authTokenRoute, operatorAuthTokenRoute];

const vendorRoutes: readonly AddRoutes[] = [
  vendorOfferCreateRoute,
  vendorOfferReadRoutes,
  vendorOfferUpdateRoute,
  vendorPricePushRoutes,
  vendorStockPushRoute,
  vendorBulkStockRoute,
  vendorJobStartRoute,
  vendorJobRoutes,
  vendorOfferMoveRoutes,
  vendorVariantRoute,
  vendorGroupRoutes,
  vendorReturnRoutes,
  vendorWebhookSubscriptionRoutes,
  vendorWebhookAttemptRoutes,
  vendorWebhookUpdateRoutes,
  vendorWebhookSwitchRoutes,
  vendorWebhookDeliveryRoutes,
  vendorEventRoutes,
  vendorUpcomingRoute,
  vendorCredentialRoutes,
  vendorProfileRoutes,
];

const operatorRoutes: readonly AddRoutes[] = [
  operatorVendorRoutes,
  operatorCredentialRoutes,
  operatorVariantRoutes,
  operatorReviewQueueRoutes,
  operatorReviewDecisionRoutes,
  operatorOfferMoveRoutes,
  operatorOfferEntryRoute,
  operatorAgreementRoute,
  operatorJobRoutes,
  operatorReviewJobRoutes,
  operatorOrderRoutes,
  operatorGroupRoutes,
  operatorReturnRoutes,
  operatorReturnMoveRoutes,
  operatorUpcomingRoute,
  operatorStatisticsRoute,
  operatorAuditRoute,
  operatorDoctorRoute,
  operatorAccountRoutes,
  operatorMeRoutes,
  operatorNoteRoutes,
  operatorWebhookRoutes,
];

/** Routes of a sandbox only: without a token, and with a vendor's. */
const openSandboxRoutes: readonly AddRoutes[] = [sandboxRegistrationRoute];
const sandboxRoutes: readonly AddRoutes[] = [
  sandboxClockRoutes,
  sandboxOfferRoutes,
  sandboxAgreementRoute,
  sandboxOrderRoutes,
  sandboxReturnRoutes,
  sandboxResetRoute,
];

const noQuery = query({});
const noBody = v.strictObject({});

/** A route without a query refuses every parameter; one without a body accepts only `{}`. */
function strictRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const takesBody = route.method !== 'GET' && route.method !== 'HEAD';
    route.schema = {
      querystring: noQuery,
      ...(takesBody ? { body: noBody } : {}),
      ...route.schema,
    };
  });
}

/** Adds every route. Each group has its own scope, so that its hooks reach no other group. */
export async function addRoutes(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { environment, sql, sealer } = dependencies;
  app.decorate('commands', { sql, sealer });
  const gate = { ...dependencies, acceptsToken: createTokenCheck(sql) };
  const addGroup = (routes: readonly AddRoutes[], prepare: (scope: FastifyInstance) => void) =>
    app.register(async (scope) => {
      strictRoutes(scope);
      explainSlowLists(scope);
      prepare(scope);
      for (const add of routes) add(scope, dependencies);
    });
  await app.register(async (scope) => {
    healthRoutes(scope, dependencies);
    jwksRoute(scope, dependencies);
  });
  await addGroup(tokenRoutes, () => undefined);
  const prepareVendors = (scope: FastifyInstance) => {
    authenticateVendors(scope, gate);
    applyVendorQuotas(scope, dependencies.vendorQuotas);
  };
  await addGroup(vendorRoutes, prepareVendors);
  if (environment === 'Sandbox') {
    await addGroup(openSandboxRoutes, (scope) => actAsSandbox(scope, sql));
    await addGroup(sandboxRoutes, (scope) => {
      prepareVendors(scope);
      actAsSandbox(scope, sql);
    });
  }
  await addGroup(operatorRoutes, (scope) => authenticateOperators(scope, gate));
}
