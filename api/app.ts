import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { authenticateOperators, authenticateVendors } from './auth/authenticate.ts';
import { handleClientError, handleConnect, acceptUnknownExpect } from './http/client-errors.ts';
import type { Dependencies } from './dependencies.ts';
import { serveReference } from './reference/docs-page.ts';
import { sendNotFound, handleErrors } from './http/error-handler.ts';
import { serveGuides } from './reference/guides.ts';
import { limitHandlers } from './http/handler-timeout.ts';
import { bodyBytesMax, parseJsonBodies } from './http/body-parser.ts';
import { serveOpenApi } from './reference/document.ts';
import { answerRequestId, requestId } from './http/request-id.ts';
import { authTokenRoute } from './auth/vendor-token-route.ts';
import { credentialsRoutes } from './accounts/vendor-credentials.ts';
import { credentialsGenerateRoute } from './accounts/vendor-credential-generation.ts';
import { credentialsSwitchRoute } from './accounts/vendor-credential-activation.ts';
import { healthRoutes } from './http/health-routes.ts';
import { jwksRoute } from './auth/jwks-route.ts';
import { offersCreateRoute } from './offers/vendor-offer-create.ts';
import { offersMoveRoutes } from './offers/vendor-offer-moves.ts';
import { offersPriceRoutes } from './offers/vendor-price-pushes.ts';
import { offersReadRoutes } from './offers/vendor-offer-reads.ts';
import { offersStockRoute } from './offers/vendor-stock-push.ts';
import { offersUpdateRoute } from './offers/vendor-offer-update.ts';
import { ordersListRoute } from './orders/vendor-group-list.ts';
import { ordersShipRoutes } from './orders/vendor-group-shipping.ts';
import { operatorAgreementRoute } from './accounts/operator-agreement.ts';
import { operatorAuditRoute } from './operator/audit-route.ts';
import { operatorAuthTokenRoute } from './auth/operator-token-route.ts';
import { operatorCredentialRoutes } from './accounts/operator-credentials.ts';
import { operatorGroupRoutes } from './orders/operator-groups.ts';
import { operatorOfferEntryRoute } from './offers/operator-offer-entry.ts';
import { operatorOfferMoveRoutes } from './offers/operator-offer-moves.ts';
import { operatorOrdersRoute } from './orders/operator-orders.ts';
import { operatorReturnDecisionRoutes } from './returns/operator-return-decisions.ts';
import { operatorReturnMoveRoutes } from './returns/operator-return-moves.ts';
import { operatorReturnRoutes } from './returns/operator-returns.ts';
import { operatorReviewDecisionRoutes } from './offers/operator-review-decisions.ts';
import { operatorReviewQueueRoutes } from './offers/operator-review-queue.ts';
import { operatorVariantRoutes } from './offers/operator-variants.ts';
import { operatorVendorRoutes } from './accounts/operator-vendors.ts';
import { operatorWebhookDeliveryRoutes } from './webhooks/operator-webhook-deliveries.ts';
import { operatorWebhookRecoveryRoutes } from './webhooks/operator-webhook-recovery.ts';
import { operatorWebhookSubscriptionRoutes } from './webhooks/operator-webhook-subscriptions.ts';
import { returnsHandleRoutes } from './returns/vendor-return-handling.ts';
import { returnsReadRoutes } from './returns/vendor-return-reads.ts';
import { vendorProfileRoutes } from './accounts/vendor-profile.ts';
import { webhooksCreateRoute } from './webhooks/vendor-webhook-create.ts';
import { webhooksReadRoutes } from './webhooks/vendor-webhook-reads.ts';
import { webhooksRedeliverRoute } from './webhooks/vendor-webhook-redelivery.ts';
import { webhooksSwitchRoutes } from './webhooks/vendor-webhook-activation.ts';
import { webhooksTestFireRoute } from './webhooks/vendor-webhook-test-fire.ts';
import { webhooksUpdateRoutes } from './webhooks/vendor-webhook-update.ts';
import { securityHeaders, sendSecurityHeaders } from './http/security-headers.ts';
import { strictRoutes } from './http/strict-routes.ts';
import { useValibot, type ValibotTypeProvider } from './validation/compiler.ts';

/** The whole HTTP side, in order: what every request passes, then the routes. */
export async function buildApp(
  dependencies: Dependencies,
  options: {
    readonly log: FastifyBaseLogger;
    readonly version: string;
    readonly trustProxy: readonly string[];
    readonly handlerTimeoutMs: number;
    /** How long a slow client may take for a whole request; its headers alone, a third of it. */
    readonly requestTimeoutMs?: number;
  },
): Promise<FastifyInstance> {
  const { requestTimeoutMs = 30_000 } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: options.trustProxy.length === 0 ? false : [...options.trustProxy],
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    // Slow clients: headers and body together within this; an idle connection is kept a little longer than by proxies.
    requestTimeout: requestTimeoutMs,
    // Long after `limitHandlers` has told the caller.
    connectionTimeout:
      Math.max(options.handlerTimeoutMs, dependencies.testFires.timeoutMs) + 30_000,
    keepAliveTimeout: 72_000,
    clientErrorHandler: handleClientError,
    http: {
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs / 3,
      // Node looks for late ones so often; its own 30 s would make every time limit a minute.
      connectionsCheckingInterval: requestTimeoutMs / 30,
    },
    routerOptions: { maxParamLength: 65_536 },
    // A path that cannot be decoded never reaches the hooks.
    frameworkErrors: (_error, request, reply) => {
      sendNotFound(reply.headers(securityHeaders).header('x-request-id', request.id));
    },
  });
  handleConnect(app);
  acceptUnknownExpect(app);
  app.decorateRequest('caller', null);
  useValibot(app);
  parseJsonBodies(app);
  answerRequestId(app);
  sendSecurityHeaders(app);
  handleErrors(app);
  limitHandlers(app, options.handlerTimeoutMs);
  await serveOpenApi(app, options.version);
  await serveReference(app);
  serveGuides(app);

  await app.register(async (scope) => {
    healthRoutes(scope, dependencies);
    jwksRoute(scope, dependencies);
  });
  await app.register(async (scope) => {
    strictRoutes(scope);
    authTokenRoute(scope.withTypeProvider<ValibotTypeProvider>(), dependencies);
    operatorAuthTokenRoute(scope.withTypeProvider<ValibotTypeProvider>(), dependencies);
  });
  await app.register(async (scope) => {
    strictRoutes(scope);
    authenticateVendors(scope, dependencies);
    const routes = scope.withTypeProvider<ValibotTypeProvider>();
    offersCreateRoute(routes, dependencies);
    offersReadRoutes(routes, dependencies);
    offersUpdateRoute(routes, dependencies);
    offersPriceRoutes(routes, dependencies);
    offersStockRoute(routes, dependencies);
    offersMoveRoutes(routes, dependencies);
    ordersListRoute(routes, dependencies);
    ordersShipRoutes(routes, dependencies);
    returnsReadRoutes(routes, dependencies);
    returnsHandleRoutes(routes, dependencies);
    webhooksCreateRoute(routes, dependencies);
    webhooksReadRoutes(routes, dependencies);
    webhooksUpdateRoutes(routes, dependencies);
    webhooksSwitchRoutes(routes, dependencies);
    webhooksTestFireRoute(routes, dependencies);
    webhooksRedeliverRoute(routes, dependencies);
    credentialsRoutes(routes, dependencies);
    credentialsGenerateRoute(routes, dependencies);
    credentialsSwitchRoute(routes, dependencies);
    vendorProfileRoutes(routes, dependencies);
  });
  await app.register(async (scope) => {
    strictRoutes(scope);
    authenticateOperators(scope, dependencies);
    const routes = scope.withTypeProvider<ValibotTypeProvider>();
    operatorVendorRoutes(routes, dependencies);
    operatorCredentialRoutes(routes, dependencies);
    operatorVariantRoutes(routes, dependencies);
    operatorReviewQueueRoutes(routes, dependencies);
    operatorReviewDecisionRoutes(routes, dependencies);
    operatorOfferMoveRoutes(routes, dependencies);
    operatorOfferEntryRoute(routes, dependencies);
    operatorAgreementRoute(routes, dependencies);
    operatorOrdersRoute(routes, dependencies);
    operatorGroupRoutes(routes, dependencies);
    operatorReturnRoutes(routes, dependencies);
    operatorReturnMoveRoutes(routes, dependencies);
    operatorReturnDecisionRoutes(routes, dependencies);
    operatorAuditRoute(routes, dependencies);
    operatorWebhookDeliveryRoutes(routes, dependencies);
    operatorWebhookRecoveryRoutes(routes, dependencies);
    operatorWebhookSubscriptionRoutes(routes, dependencies);
  });
  return app;
}
