import type { CheckTitle, ScannedPage } from '../db/checks/scan.ts';
import type { Sql } from '../db/core/client.ts';
import type { Sealer } from '../security/sealer.ts';
import type { History } from '../temporal/runs/histories.ts';
import type { RunKind, Runs } from '../temporal/runs/open-runs.ts';

/** The dependencies of the checks of runs. */
export type RunContext = {
  readonly sql: Sql;
  readonly runs: Runs;
  /** How long a run that differs from its row may take to agree with the row. Default: 2,000. */
  readonly settleMs?: number;
  /** How long the task of a busy run may take until the run is compared again. Default: 12,000. */
  readonly taskMs?: number;
};

/** The dependencies of all checks. */
export type CheckContext = RunContext & {
  /** The histories of open and recent runs, newest first. */
  readonly histories: () => AsyncIterable<History>;
  /** The time that the webhook history is kept. */
  readonly retentionMs: number;
  /** Opens secrets with the keys of SECRETS_KEY; null if the keys are not known. */
  readonly sealer: Sealer | null;
};

/** One kind of damage. */
export type Check<TContext = CheckContext> = CheckTitle & {
  /** The workflow of the subjects; null without one. */
  readonly kind: RunKind | null;
  /** Reads page by page, so that memory and each statement stay bounded. */
  readonly find: (context: TContext) => AsyncIterable<ScannedPage>;
  /** Repairs subjects, and returns their number; null if an operator must repair them. */
  readonly repair: ((context: TContext, ids: readonly string[]) => Promise<number>) | null;
};
