import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { authenticateOperators, authenticateVendors } from './auth/authenticate.ts';
import { answerClientError, answerStrangers, ignoreExpectations } from './client-errors.ts';
import type { Dependencies } from './dependencies.ts';
import { serveReference } from './docs.ts';
import { answerNotFound, handleErrors } from './errors.ts';
import { serveGuides } from './guides.ts';
import { limitHandlers } from './handler-timeout.ts';
import { bodyBytesMax, parseJsonBodies } from './json-body.ts';
import { serveOpenApi } from './openapi/document.ts';
import { answerRequestId, requestId } from './request-id.ts';
import { authTokenRoute } from './routes/auth-token.ts';
import { credentialsRoutes } from './routes/credentials.ts';
import { credentialsGenerateRoute } from './routes/credentials-generate.ts';
import { credentialsSwitchRoute } from './routes/credentials-switch.ts';
import { healthRoutes } from './routes/health.ts';
import { jwksRoute } from './routes/jwks.ts';
import { offersCreateRoute } from './routes/offers-create.ts';
import { offersMoveRoutes } from './routes/offers-move.ts';
import { offersPriceRoutes } from './routes/offers-prices.ts';
import { offersReadRoutes } from './routes/offers-read.ts';
import { offersStockRoute } from './routes/offers-stock.ts';
import { offersUpdateRoute } from './routes/offers-update.ts';
import { ordersListRoute } from './routes/orders-list.ts';
import { ordersShipRoutes } from './routes/orders-ship.ts';
import { operatorAgreementRoute } from './routes/operator/agreement.ts';
import { operatorAuditRoute } from './routes/operator/audit.ts';
import { operatorAuthTokenRoute } from './routes/operator/auth-token.ts';
import { operatorCredentialRoutes } from './routes/operator/credentials.ts';
import { operatorGroupRoutes } from './routes/operator/groups.ts';
import { operatorOfferEntryRoute } from './routes/operator/offer-entry.ts';
import { operatorOfferMoveRoutes } from './routes/operator/offer-moves.ts';
import { operatorOrdersRoute } from './routes/operator/orders.ts';
import { operatorReturnDecisionRoutes } from './routes/operator/return-decisions.ts';
import { operatorReturnMoveRoutes } from './routes/operator/return-moves.ts';
import { operatorReturnRoutes } from './routes/operator/returns.ts';
import { operatorReviewDecisionRoutes } from './routes/operator/review-decisions.ts';
import { operatorReviewQueueRoutes } from './routes/operator/review-queue.ts';
import { operatorVariantRoutes } from './routes/operator/variants.ts';
import { operatorVendorRoutes } from './routes/operator/vendors.ts';
import { operatorWebhookDeliveryRoutes } from './routes/operator/webhook-deliveries.ts';
import { operatorWebhookRecoveryRoutes } from './routes/operator/webhook-recovery.ts';
import { operatorWebhookSubscriptionRoutes } from './routes/operator/webhook-subscriptions.ts';
import { returnsHandleRoutes } from './routes/returns-handle.ts';
import { returnsReadRoutes } from './routes/returns-read.ts';
import { vendorProfileRoutes } from './routes/vendor-profile.ts';
import { webhooksCreateRoute } from './routes/webhooks-create.ts';
import { webhooksReadRoutes } from './routes/webhooks-read.ts';
import { webhooksRedeliverRoute } from './routes/webhooks-redeliver.ts';
import { webhooksSwitchRoutes } from './routes/webhooks-switch.ts';
import { webhooksTestFireRoute } from './routes/webhooks-test-fire.ts';
import { webhooksUpdateRoutes } from './routes/webhooks-update.ts';
import { securityHeaders, sendSecurityHeaders } from './security-headers.ts';
import { strictRoutes } from './strict-routes.ts';
import { useValibot, type ValibotTypeProvider } from './validation.ts';

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
    connectionTimeout: Math.max(options.handlerTimeoutMs, dependencies.testFires.timeoutMs) + 30_000,
    keepAliveTimeout: 72_000,
    clientErrorHandler: answerClientError,
    http: {
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs / 3,
      // Node looks for late ones so often; its own 30 s would make every time limit a minute.
      connectionsCheckingInterval: requestTimeoutMs / 30,
    },
    routerOptions: { maxParamLength: 65_536 },
    // A path that cannot be decoded never reaches the hooks.
    frameworkErrors: (_error, request, reply) => {
      answerNotFound(reply.headers(securityHeaders).header('x-request-id', request.id));
    },
  });
  answerStrangers(app);
  ignoreExpectations(app);
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
