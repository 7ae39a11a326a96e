import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { exitUnlistened, loadConfigOrExit } from '../process/config.ts';
import { connect } from '../db/core/client.ts';
import { requireEnvironment } from '../db/core/installation.ts';
import { createDatabaseCheck } from '../db/core/database-check.ts';
import type { Check } from '../process/health/check-parts.ts';
import { pruneSessions } from '../db/accounts/operator-sessions.ts';
import { pruneTokenCalls } from '../db/accounts/token-calls.ts';
import { readPools } from '../db/watch/read-record.ts';
import { checkDestination } from '../guardrail/check-destination.ts';
import { stopOnSignals } from '../process/early-signals.ts';
import { startLoopWatch } from '../process/health/loop-watch.ts';
import { startMetricsServer } from '../process/metrics/metrics-server.ts';
import { addPoolMetrics } from '../process/metrics/record-metrics.ts';
import { untilOwn } from '../process/own-installation.ts';
import { createLogger } from '../process/logging.ts';
import { startHandOver, type HandOver } from '../relay/hand-over.ts';
import { traceMessages } from '../relay/trace-messages.ts';
import { startTracing } from '../process/tracing/start-tracing.ts';
import { createSealer } from '../security/sealer.ts';
import { lazyClient } from '../temporal/connection/connection.ts';
import { requireNamespace } from '../temporal/namespace-owner.ts';
import { createDecisions } from '../temporal/decisions.ts';
import { readHistories } from '../temporal/runs/histories.ts';
import { createMessageHandler } from '../temporal/message-handler.ts';
import { createRuns } from '../temporal/runs/open-runs.ts';
import { createTemporalCheck } from '../temporal/connection/temporal-check.ts';
import { isTemporalOutage } from '../temporal/temporal-failures.ts';
import { version } from '../process/version.ts';
import { buildApp } from './app.ts';
import { apiError } from './http/api-error.ts';
import { openKeysOrExit } from './auth/key-source.ts';
import { createRateLimit } from './auth/rate-limits.ts';
import { createTokens } from './auth/tokens.ts';
import { createVendorQuotas, thirdOf } from './http/quotas/vendor-quotas.ts';
import { sides } from './reference/api-sides.ts';
import { registrationLimit } from './sandbox/sandbox-accounts.ts';
import { createTestFires } from './webhooks/test-fires.ts';

/**
 * The API process. SIGTERM and SIGINT turn `/ready` to 503, and after DRAIN_DELAY_MS close the
 * process once the requests in progress are answered.
 */

const config = loadConfigOrExit(['DATABASE_URL', 'SECRETS_KEY', 'JWT_KEYS', 'TEMPORAL_TLS']);
const { GATEWAY_ENVIRONMENT: environment, TEMPORAL_TASK_QUEUE: taskQueue } = config;
const log = createLogger('api', config.LOG_LEVEL);
const keys = await openKeysOrExit(config, log);
const tracing = await startTracing({
  isOn: config.isTracing,
  serviceName: 'vendor-gateway-api',
  version,
  log,
});
const sql = connect(config.DATABASE_URL, {
  max: config.DATABASE_POOL_MAX,
  name: 'vendor-gateway api',
  idleInTransactionMs: 10_000,
});
const lists = connect(config.DATABASE_URL, {
  max: config.DATABASE_LIST_POOL_MAX,
  name: 'vendor-gateway api, lists',
  idleInTransactionMs: 10_000,
  statementTimeoutMs: config.DATABASE_LIST_TIMEOUT_MS,
});
const database = createDatabaseCheck(() =>
  connect(config.DATABASE_URL, { max: 1, name: 'vendor-gateway api, ready' }),
);
const handOverSql = connect(config.DATABASE_URL, {
  max: 1,
  name: 'vendor-gateway api, hand-over',
  idleInTransactionMs: 10_000,
});
/** Checks the environment, and reads the metrics. */
const watch = connect(config.DATABASE_URL, {
  max: 1,
  name: 'vendor-gateway api, metrics',
  statementTimeoutMs: 2000,
});
const temporal = lazyClient(config);
/** Begins the drain. */
const stopping = new AbortController();
/** False until Postgres has answered that it is the database of this environment. */
let isOwnDatabase = false;
const untilAnswered = (ask: () => Promise<void>) => untilOwn(log, ask, stopping.signal);
async function checkDatabase(): Promise<void> {
  isOwnDatabase = await untilAnswered(() => requireEnvironment(watch, environment));
}
const checkNamespace = () => requireNamespace(temporal, { taskQueue, environment });
/** Ends the process if the database or the namespace belongs to another environment. */
async function checkInstallation(): Promise<void> {
  try {
    await Promise.all([checkDatabase(), untilAnswered(checkNamespace)]);
  } catch (error) {
    log.fatal({ err: error }, 'the api cannot start');
    process.exit(1);
  }
}
const ownInstallation = checkInstallation();
const urlPolicy = {
  allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
  allowedOrigins: config.WEBHOOK_ALLOWED_ORIGINS,
};
/** Longer than the statement timeout of `db/core/client.ts`, so that the database ends first. */
const handlerTimeoutMsMin = 15_000;
/** The most that a caller waits for the look-up of a webhook URL's host name. */
const lookUpTimeoutMs = 2000;
/** The most that calls in progress get once the process accepts no connection. */
const closeTimeoutMs = 20_000;
/** How long a start waits for the responses of Postgres and Temporal. Calls get 503 until then. */
const firstResponseMs = 2000;
/**
 * Short, because a worker that reaches Temporal waits for the messages that the API has claimed.
 */
const handOverTimeoutMs = 2000;
const tokens = createTokens({
  issuer: config.JWT_ISSUER,
  environment,
  ring: keys.ring,
});

const registry = config.METRICS_PORT === undefined ? undefined : new Registry();
if (registry !== undefined) addPoolMetrics(registry, () => readPools(watch));

/** The documents block the event loop, so its watch begins after them. */
let eventLoop: Check = () => 'ok';
const app = await buildApp(
  {
    environment,
    sql,
    lists,
    checks: {
      postgres: database.check,
      temporal: createTemporalCheck(temporal),
      eventLoop: () => eventLoop(),
    },
    drain: stopping.signal,
    vendorQuotas: createVendorQuotas({
      callsMax: config.VENDOR_CONCURRENCY_MAX ?? thirdOf(config.DATABASE_POOL_MAX),
      listsMax: config.VENDOR_LIST_CONCURRENCY_MAX ?? thirdOf(config.DATABASE_LIST_POOL_MAX),
    }),
    tokens,
    sealer: createSealer(config.SECRETS_KEY),
    decisions: createDecisions(temporal, { taskQueue, timeoutMs: config.DECISION_TIMEOUT_MS }),
    testFires: createTestFires(sql, config.WEBHOOK_TIMEOUT_MS),
    checkDestination: (url) =>
      checkDestination(url, { policy: urlPolicy, timeoutMs: lookUpTimeoutMs }),
    callsPerVendor: createRateLimit(config.RATE_LIMIT_PER_MINUTE),
    pushesPerVendor: createRateLimit(config.RATE_LIMIT_PUSH_PER_MINUTE),
    bulkItemsPerVendor: createRateLimit(config.RATE_LIMIT_BULK_ITEMS_PER_MINUTE),
    jobItemsPerVendor: createRateLimit(config.RATE_LIMIT_JOB_ITEMS_PER_MINUTE),
    openJobsMax: config.JOBS_OPEN_MAX,
    manualDeliveriesPerMinute: config.RATE_LIMIT_MANUAL_DELIVERY_PER_MINUTE,
    failureLimit: {
      failingMs: config.WEBHOOK_DISABLE_AFTER_MS,
      deadLetters: config.WEBHOOK_DISABLE_DEAD_LETTERS,
    },
    registrationsPerAddress: registrationLimit(config),
    callsPerOperator: createRateLimit(config.RATE_LIMIT_OPERATOR_PER_MINUTE),
    tokenCallsPerAddress: createRateLimit(config.RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE),
    decisionTimeoutMs: config.DECISION_TIMEOUT_MS,
    decisionUndoMs: config.DECISION_UNDO_MS,
    vatRateBasisPoints: config.VAT_RATE,
    largePriceChangePercent: config.LARGE_PRICE_CHANGE_PERCENT,
    reviewTargetHours: config.REVIEW_TARGET_HOURS,
    inspectionTimes: {
      startMs: config.INSPECTION_START_MS,
      windowMs: config.INSPECTION_WINDOW_MS,
      closingMs: config.INSPECTION_CLOSING_MS,
    },
    doctor: {
      runs: createRuns(temporal, { taskQueue }),
      readHistories: (runsMax) => readHistories(temporal, { taskQueue, runsMax }),
      retentionMs: config.WEBHOOK_RETENTION_MS,
    },
    temporalUi: { baseUrl: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
  },
  {
    log,
    version,
    trustProxy: config.TRUST_PROXY,
    publicUrl: config.PUBLIC_URL,
    connectionsMax: config.CONNECTIONS_MAX,
    keepAliveMs: config.KEEP_ALIVE_MS,
    metrics: registry,
    tracing,
    handlerTimeoutMs: Math.max(handlerTimeoutMsMin, config.DECISION_TIMEOUT_MS + 5000),
  },
);

/** False while the process itself requests the documents, which need no database. */
let isServing = false;
app.addHook('onRequest', (request, _reply, done) => {
  const isHealth = ['/health', '/ready'].includes(request.routeOptions.url ?? '');
  const isAllowed = isOwnDatabase || isHealth || !isServing;
  done(isAllowed ? undefined : apiError('SERVICE_UNAVAILABLE'));
});

const pruning = setInterval(() => {
  if (!isOwnDatabase) return;
  Promise.all([pruneTokenCalls(sql), pruneSessions(sql)]).catch((error: unknown) => {
    log.warn({ err: error }, 'deleting old log-ins failed; the next pass tries again');
  });
}, 60_000).unref();

await Promise.race([ownInstallation, delay(firstResponseMs)]);
// Building a document takes some hundred milliseconds; no caller waits for it.
for (const { documentPath } of sides) await app.inject({ method: 'GET', url: documentPath });
isServing = true;
eventLoop = startLoopWatch();
const url = await app
  .listen({ host: config.HOST, port: config.PORT })
  .catch(exitUnlistened('HOST, PORT'));
const metrics =
  registry === undefined || config.METRICS_PORT === undefined
    ? null
    : await startMetricsServer({
        registry,
        host: config.METRICS_HOST,
        port: config.METRICS_PORT,
      }).catch(exitUnlistened('METRICS_HOST, METRICS_PORT'));
log.info({ url, metrics: metrics?.url }, 'api is ready');
process.send?.({ type: 'ready', url });

let handOver: HandOver | null = null;
async function handOverWhenOwn(): Promise<void> {
  await ownInstallation;
  if (stopping.signal.aborted) return;
  handOver = startHandOver({
    sql: handOverSql,
    databaseUrl: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL,
    handleMessage: traceMessages(
      tracing,
      createMessageHandler(
        temporal,
        {
          taskQueue,
          retryDelaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
          timeoutMs: config.WEBHOOK_TIMEOUT_MS,
        },
        handOverTimeoutMs,
      ),
    ),
    isOutage: isTemporalOutage,
    log,
  });
}
void handOverWhenOwn();

const close = async (): Promise<void> => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  clearInterval(pruning);
  log.info({ delayMs: config.DRAIN_DELAY_MS }, 'api is draining');
  await delay(config.DRAIN_DELAY_MS);
  // Ends connections that are silent, or whose callers read no response.
  const force = setTimeout(() => app.server.closeAllConnections(), closeTimeoutMs);
  await app.close();
  clearTimeout(force);
  await handOver?.stop();
  metrics?.close();
  keys.close();
  await database.close();
  await Promise.all([sql, lists, handOverSql, watch].map((pool) => pool.end({ timeout: 5 })));
  await tracing?.stop();
  log.info('api has stopped');
  if (process.connected) process.disconnect();
  // At once: the client repeats calls that found no server, and throws on a closed connection.
  await temporal.connection.close();
  process.exit(0);
};
const closeOrDie = (): void => {
  close().catch((error: unknown) => {
    log.error({ err: error }, 'closing the api failed');
    process.exit(1);
  });
};
stopOnSignals(closeOrDie);
process.once('disconnect', closeOrDie);
