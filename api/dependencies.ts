import type { Pool } from '../db/core/client.ts';
import type { FailureLimit } from '../db/webhooks/attempts/record-attempts.ts';
import type { Environment } from '../domain/accounts/credentials.ts';
import type { InspectionTimes } from '../domain/returns/return-request.ts';
import type { UrlVerdict } from '../guardrail/url.ts';
import type { Check } from '../process/health/check-parts.ts';
import type { Sealer } from '../security/sealer.ts';
import type { History } from '../temporal/runs/histories.ts';
import type { Runs } from '../temporal/runs/open-runs.ts';
import type { Decisions } from '../temporal/decisions.ts';
import type { RateLimit } from './auth/rate-limits.ts';
import type { Tokens } from './auth/tokens.ts';
import type { VendorQuotas } from './http/quotas/vendor-quotas.ts';
import type { TestFires } from './webhooks/test-fires.ts';

/** The parts that `/ready` reports: a check rejects while its part is unavailable. */
export type HealthChecks = {
  readonly postgres: () => Promise<void>;
  /** Reported only: vendors do not need Temporal. */
  readonly temporal: Check;
  readonly eventLoop: Check;
};

/** Everything that the routes use. */
export type Dependencies = {
  readonly environment: Environment;
  readonly sql: Pool;
  /** The pool of lists: its statements have a shorter time limit, and delay no other call. */
  readonly lists: Pool;
  readonly checks: HealthChecks;
  /**
   * Aborted in the time before a restart, in which the process still answers calls: `/ready` is
   * 503, and every response asks its caller to connect elsewhere.
   */
  readonly drain: AbortSignal;
  readonly vendorQuotas: VendorQuotas;
  readonly tokens: Tokens;
  readonly sealer: Sealer;
  readonly decisions: Decisions;
  readonly testFires: TestFires;
  /** The guardrail's verdict on a webhook URL. */
  readonly checkDestination: (url: string) => Promise<UrlVerdict>;
  readonly callsPerVendor: RateLimit;
  readonly pushesPerVendor: RateLimit;
  /** Items of bulk pushes. */
  readonly bulkItemsPerVendor: RateLimit;
  readonly jobItemsPerVendor: RateLimit;
  /** The open bulk jobs that a vendor may have. */
  readonly openJobsMax: number;
  /** A vendor's test-fires and redeliveries in a minute for each subscription; 0: no limit. */
  readonly manualDeliveriesPerMinute: number;
  /** When a subscription that only fails becomes inactive, as the worker has it. */
  readonly failureLimit: FailureLimit;
  readonly callsPerOperator: RateLimit;
  /** New vendors of a sandbox from one address in an hour; null: none can register. */
  readonly registrationsPerAddress: RateLimit | null;
  readonly tokenCallsPerAddress: RateLimit;
  /** The time that an operator's call waits for its workflow. */
  readonly decisionTimeoutMs: number;
  /** The time in which a decision can be taken back. */
  readonly decisionUndoMs: number;
  readonly vatRateBasisPoints: number;
  /** From which change a staged price has the flag LargePriceChange. */
  readonly largePriceChangePercent: number;
  /** 0: no target. */
  readonly reviewTargetHours: number;
  /** The times of new returns; a stored return keeps its own. */
  readonly inspectionTimes: InspectionTimes;
  /** What the doctor reads beside the record. */
  readonly doctor: {
    readonly runs: Runs;
    /** The number of histories that it reads, newest first. */
    readonly readHistories: (runsMax: number) => AsyncIterable<History>;
    readonly retentionMs: number;
  };
  readonly temporalUi: { readonly baseUrl: string; readonly namespace: string };
};
