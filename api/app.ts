import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { addressOf, nameAddresses, trustedBy } from './auth/addresses.ts';
import { senderBy } from './socket/sender.ts';
import { serveConsole } from './console.ts';
import type { Dependencies } from './dependencies.ts';
import { addRequestFields } from './fastify-fields.ts';
import { bodyBytesMax } from './http/bodies/body-limits.ts';
import { limitBodyPace } from './socket/body-pace.ts';
import { parseJsonBodies } from './http/bodies/body-parser.ts';
import { acceptUnknownExpect, handleClientError, handleConnect } from './socket/client-errors.ts';
import { limitConnections, limitPipelining } from './socket/connections.ts';
import { closeAnsweredConnections, closeSilentConnections } from './socket/drain.ts';
import { handleErrors, sendNotFound } from './http/error-handler.ts';
import { limitHandlers } from './http/handler-timeout.ts';
import { requireHost } from './http/host.ts';
import { measureRequests } from './http/requests/request-metrics.ts';
import { requestId } from './http/requests/request-id.ts';
import { traceRequests } from './http/requests/request-traces.ts';
import { commonHeaders, sendCommonHeaders } from './http/security-headers.ts';
import { collectRoutes, serveDocuments } from './reference/document.ts';
import { serveGuides } from './reference/pages/guides.ts';
import { serveReferences } from './reference/pages/reference-page.ts';
import { addRoutes } from './routes.ts';
import { sandboxTime, sendSandboxTime } from './sandbox/sandbox-time.ts';
import type { Tracing } from '../process/tracing/tracing.ts';
import { logSecurityEvents } from './security/report.ts';
import { useValibot } from './validation/compiler.ts';

/** The HTTP application: first what every request passes, in order, then the routes. */
export async function buildApp(
  dependencies: Dependencies,
  options: {
    readonly log: FastifyBaseLogger;
    readonly version: string;
    readonly trustProxy: readonly string[];
    readonly handlerTimeoutMs: number;
    /** Connections of the process at a time; absent: no limit. */
    readonly connectionsMax?: number;
    /** How long an idle connection is kept. */
    readonly keepAliveMs?: number;
    /** Measures the requests; without it nothing is measured. */
    readonly metrics?: Registry | undefined;
    /** Records a span for each request; null or absent: none. */
    readonly tracing?: Tracing | null;
    /** The gateway's own base URL, without a slash at its end; empty when it is unknown. */
    readonly publicUrl?: string;
    /** The longest time between two pieces of a body. The headers have a third of it. */
    readonly requestTimeoutMs?: number;
  },
): Promise<FastifyInstance> {
  const { requestTimeoutMs = 30_000, publicUrl = '' } = options;
  const isSandbox = dependencies.environment === 'Sandbox';
  /** Of the responses that no hook completes. */
  const ownHeaders = () => (isSandbox ? sandboxTime() : {});
  const isTrusted = trustedBy(options.trustProxy);
  const rawResponseParts = { baseUrl: publicUrl, headers: ownHeaders };
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    trustProxy: options.trustProxy.length === 0 ? false : isTrusted,
    bodyLimit: bodyBytesMax.oneThing,
    exposeHeadRoutes: true,
    // `limitBodyPace` limits the time of a body.
    requestTimeout: 0,
    // `limitHandlers` answers the caller long before this closes the connection.
    connectionTimeout:
      Math.max(options.handlerTimeoutMs, dependencies.testFires.timeoutMs) + 30_000,
    // By default longer than most proxies keep an idle connection (60 s), so that they close it.
    keepAliveTimeout: options.keepAliveMs ?? 72_000,
    // Fastify's own response while it closes has no envelope. The routes answer as before.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => handleClientError(error, socket, rawResponseParts),
    http: {
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs / 3,
      // Node's default of 30 s would enforce the limits above up to 30 s late.
      connectionsCheckingInterval: requestTimeoutMs / 30,
    },
    routerOptions: { maxParamLength: 65_536 },
    // Fastify calls this for paths that it cannot decode, without running the hooks.
    frameworkErrors: (_error, request, reply) => {
      sendNotFound(reply.headers({ ...commonHeaders(request.id), ...ownHeaders() }), publicUrl);
    },
  });
  limitPipelining(
    app,
    senderBy(dependencies.tokens, (request) => addressOf(request, isTrusted)),
  );
  limitBodyPace(app, { quietMsMax: requestTimeoutMs, checkMs: requestTimeoutMs / 30 });
  if (options.connectionsMax !== undefined)
    limitConnections(app, { connectionsMax: options.connectionsMax, log: options.log });
  handleConnect(app, rawResponseParts);
  acceptUnknownExpect(app);
  closeAnsweredConnections(app, dependencies.drain);
  closeSilentConnections(app);
  nameAddresses(app, isTrusted);
  addRequestFields(app);
  logSecurityEvents(app);
  if (options.metrics !== undefined) measureRequests(app, options.metrics);
  if (options.tracing) traceRequests(app, options.tracing);
  useValibot(app);
  sendCommonHeaders(app);
  if (isSandbox) sendSandboxTime(app, dependencies.sql);
  requireHost(app);
  parseJsonBodies(app);
  handleErrors(app, dependencies.environment, publicUrl);
  limitHandlers(app, options.handlerTimeoutMs);
  await collectRoutes(app);
  serveDocuments(app, { environment: dependencies.environment, version: options.version });
  serveReferences(app, dependencies.environment);
  serveGuides(app, dependencies.environment, publicUrl);
  await addRoutes(app, dependencies);
  await serveConsole(app, dependencies, publicUrl);
  return app;
}
