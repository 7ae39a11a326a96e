import type { Sql } from '../db/core/client.ts';
import type { Sealer } from '../security/sealer.ts';
import type { History } from '../temporal/runs/histories.ts';
import type { Runs } from '../temporal/runs/open-runs.ts';

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

/** One fault: its subject, and what is wrong. It quotes no stored text. */
export type Finding = {
  /** The kind of the subject, such as `offer`. */
  readonly subjectType: string;
  readonly subjectId: string;
  readonly text: string;
  /** The workflow of the subject; null where none is concerned. */
  readonly workflowId: string | null;
};

export const idsOf = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ subjectId }) => subjectId);

/** A part of a check: the number of subjects that it read, and the faults among them. */
export type CheckPage = { readonly checked: number; readonly findings: readonly Finding[] };

/** One kind of damage. */
export type Check<TContext = CheckContext> = {
  /** Stable, in kebab case. */
  readonly id: string;
  /** The condition that holds if there is no finding. */
  readonly title: string;
  /** Reads page by page, so that memory and each statement stay bounded. */
  readonly find: (context: TContext) => AsyncIterable<CheckPage>;
  /**
   * Repairs the subjects of findings, and returns their number; null if an operator must repair
   * them.
   */
  readonly repair: ((context: TContext, findings: readonly Finding[]) => Promise<number>) | null;
};
