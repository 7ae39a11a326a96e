import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import { createInspectionActivities } from '../../../activities/return-inspection.ts';
import { createReviewActivities } from '../../../activities/offer-review.ts';
import { buildApp } from '../../../api/app.ts';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import type { Dependencies } from '../../../api/dependencies.ts';
import { createVendorQuotas } from '../../../api/http/quotas/vendor-quotas.ts';
import { connect, type Pool } from '../../../db/core/client.ts';
import { createDatabaseCheck } from '../../../db/core/database-check.ts';
import { errorCatalogue, fail, isErrorCode, ok, type Result } from '../../../domain/errors.ts';
import { checkUrl } from '../../../guardrail/url.ts';
import { fixedRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { createSealer } from '../../../security/sealer.ts';
import type { Decisions } from '../../../temporal/decisions.ts';
import type { Runs } from '../../../temporal/runs/open-runs.ts';
import { TemporalUnavailable } from '../../../temporal/temporal-failures.ts';
import { createTestDatabase } from '../database/database.ts';
import { expectInReference } from './response-contract.ts';

export const issuer = 'test-gateway';

export const signingKey = generatePrivateKey();
const ring = fixedRing({ signingKey });

const dayMs = 24 * 3_600_000;

/** Applies decisions as the workflows' activities do, without a workflow. */
function directDecisions(sql: Pool): Decisions {
  const reviews = createReviewActivities({ sql, decisionUndoMs: dayMs });
  const inspections = createInspectionActivities({ sql });
  return {
    decideOffer: (_input, { action: _action, ...request }) =>
      resultOf(reviews.applyReviewDecision(request)),
    decideReturn: (_input, { action: _action, ...request }) =>
      resultOf(inspections.applyReturnDecision(request)),
  };
}

async function resultOf<T>(applied: Promise<T>): Promise<Result<T>> {
  try {
    return ok(await applied);
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    const code = error.type ?? '';
    const details: unknown = error.details?.[0];
    return fail(isErrorCode(code) ? code : 'INTERNAL_ERROR', details as Record<string, unknown>);
  }
}

/** No worker runs: a test that fires samples brings its own. */
const noWorker = new TemporalUnavailable({ cause: new Error('no worker in this test') });

/** Temporal without a run. */
const noRuns: Runs = {
  workflowId: (kind, subjectId) =>
    `${kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}/${subjectId}`,
  listOpen: async function* listOpen() {},
  haveOpen: async () => new Set(),
  describeOpen: async () => [],
  refresh: async () => undefined,
};
const noHistories: Dependencies['doctor']['readHistories'] = async function* noHistories() {};

/**
 * The app over a database of its own, as the role of the API; its decisions are made as the role of
 * the worker. `sql` is the owner's. `overrides` replaces a dependency.
 */
export async function startGateway(overrides: Partial<Dependencies> = {}) {
  const database = await createTestDatabase();
  const sql = connect(database.url, { max: 10, name: 'api test' });
  const api = connect(database.apiUrl, { max: 10, name: 'api test' });
  const worker = connect(database.workerUrl, { max: 10, name: 'api test' });
  const gateway = await gatewayOver(sql, {
    sql: api,
    decisions: directDecisions(worker),
    ...overrides,
  });
  return {
    ...gateway,
    close: async () => {
      await gateway.app.close();
      await Promise.all([sql, api, worker].map((pool) => pool.end({ timeout: 5 })));
      await database.drop();
    },
  };
}

export const appOptions = {
  log: pino({ level: 'silent' }),
  version: '0.0.0',
  trustProxy: [],
  handlerTimeoutMs: 15_000,
};

/** The app over a given pool, which is left open. */
export async function gatewayOver(sql: Pool, overrides: Partial<Dependencies> = {}) {
  const { environment = 'Production' } = overrides;
  const dependencies: Dependencies = {
    environment,
    sql,
    lists: sql,
    checks: {
      postgres: createDatabaseCheck(() => sql).check,
      temporal: () => Promise.resolve(),
      eventLoop: () => 'ok',
    },
    drain: new AbortController().signal,
    vendorQuotas: createVendorQuotas({ callsMax: 1000, listsMax: 1000 }),
    tokens: createTokens({ issuer, environment, ring: () => ring }),
    largePriceChangePercent: 20,
    reviewTargetHours: 48,
    sealer: createSealer(Buffer.alloc(32, 7).toString('base64')),
    decisions: directDecisions(sql),
    testFires: { timeoutMs: 1000, waitFor: () => Promise.reject(noWorker) },
    // The guardrail's own rules on the URL, without a look-up of its name.
    checkDestination: async (url) =>
      checkUrl(url, { allowedPorts: [443, 8443], allowedOrigins: [] }),
    callsPerVendor: createRateLimit(0),
    pushesPerVendor: createRateLimit(0),
    bulkItemsPerVendor: createRateLimit(0),
    jobItemsPerVendor: createRateLimit(0),
    openJobsMax: 20,
    manualDeliveriesPerMinute: 0,
    failureLimit: { failingMs: 5 * 24 * 3_600_000, deadLetters: 2 },
    callsPerOperator: createRateLimit(0),
    registrationsPerAddress: createRateLimit(0),
    tokenCallsPerAddress: createRateLimit(0),
    decisionTimeoutMs: 10_000,
    decisionUndoMs: dayMs,
    vatRateBasisPoints: 1500,
    inspectionTimes: { startMs: 24 * 3_600_000, windowMs: 72 * 3_600_000, closingMs: 0 },
    doctor: { runs: noRuns, readHistories: noHistories, retentionMs: 30 * 24 * 3_600_000 },
    temporalUi: { baseUrl: 'http://temporal-ui.test', namespace: 'default' },
    ...overrides,
  };
  return { app: await buildApp(dependencies, appOptions), sql, dependencies };
}
export type Gateway = Awaited<ReturnType<typeof gatewayOver>>;

export type ApiResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly text: string;
  readonly state: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly details: Readonly<Record<string, unknown>>;
};

export type Call = {
  readonly token?: string | undefined;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** What a call sends: a body goes as application/json unless `headers` says otherwise. */
export const sentBy = ({ token, body, headers = {} }: Call) => ({
  headers: {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  },
  text: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
});

/** One request. Throws where the response is not the reference's. */
export async function call(
  { app }: Pick<Gateway, 'app'>,
  method: Method,
  url: string,
  given: Call = {},
): Promise<ApiResponse> {
  const { headers, text } = sentBy(given);
  const payload = text === undefined ? {} : { payload: text };
  const response = await app.inject({ method, url, headers, ...payload });
  // A simulated request never closes; what waits for its end would use a socket that is none.
  response.raw.req.emit('close');
  const envelope = response.json<Pick<ApiResponse, 'state' | 'payload' | 'details'>>();
  await expectInReference(app, { method, url, status: response.statusCode, body: envelope });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    ...envelope,
  };
}

/** A response that must be a success. */
export function succeeded(response: ApiResponse): ApiResponse {
  if (response.status >= 300) throw new Error(`${response.status}: ${response.text}`);
  return response;
}

/** The payload's field of that name, which must be a string. */
export function textOf(response: ApiResponse, name: string): string {
  const value = response.payload?.[name];
  if (typeof value !== 'string') throw new Error(`${name} is no string in ${response.text}`);
  return value;
}

/** The items of a list's payload. */
export function itemsOf(response: ApiResponse): readonly Record<string, unknown>[] {
  const items = response.payload?.['items'];
  if (!Array.isArray(items)) throw new Error(`no items in ${response.text}`);
  return items as Record<string, unknown>[];
}

/** What every refusal looks like: the catalogue's status, the code, no payload. */
export const refusal = (code: keyof typeof errorCatalogue, details: unknown = {}) => ({
  status: errorCatalogue[code].status,
  state: code,
  payload: null,
  details,
});

/** The link to a code's entry, which the details of an error end with (D87). */
export const help = (code: string) => ({ help: `/docs/errors#${code.toLowerCase()}` });

/** What a 504 says about a call that may have changed something. */
export const unknownEffect = {
  message: 'The call may still take effect: read what it changes before you repeat it.',
};

/** `field code` of each entry of a validation failure, sorted. */
export function fieldErrorsOf(response: ApiResponse): readonly string[] {
  const errors = response.details['errors'] as
    readonly { field: string; code: string }[] | undefined;
  return (errors ?? []).map(({ field, code }) => `${field} ${code}`).toSorted();
}

export const unknownId = (): string => randomUUID();
