import type { Sql } from '../db/core/client.ts';
import type { Sealer } from '../security/sealer.ts';
import type { History } from '../temporal/histories.ts';
import type { Runs } from '../temporal/open-runs.ts';

/** What the checks of runs read. */
export type RunContext = { readonly sql: Sql; readonly runs: Runs };

/** What all checks read. */
export type CheckContext = RunContext & {
  /** The histories of open and recent runs, newest first. */
  readonly histories: () => AsyncIterable<History>;
  /** The time that the webhook history is kept. */
  readonly retentionMs: number;
  /** With the keys of SECRETS_KEY; null where these are not known. */
  readonly sealer: Sealer | null;
};

/** One fault: which subject, and what is wrong with it. It quotes no stored text. */
export type Finding = {
  /** The kind of the subject, such as `offer`. */
  readonly subjectType: string;
  readonly subjectId: string;
  readonly text: string;
  /** The workflow of the subject; null where none is concerned. */
  readonly workflowId: string | null;
};

/** A part of a check: how many subjects it looked at, and the faults among them. */
export type CheckPage = { readonly checked: number; readonly findings: readonly Finding[] };

/** One kind of damage. */
export type Check<TContext = CheckContext> = {
  /** Stable, in kebab case. */
  readonly id: string;
  /** What holds if there is no finding. */
  readonly title: string;
  /** Reads page by page, so that memory and each statement stay bounded. */
  readonly find: (context: TContext) => AsyncIterable<CheckPage>;
  /** Mends the subjects of findings, and returns how many; null: an operator has to. */
  readonly repair: ((context: TContext, findings: readonly Finding[]) => Promise<number>) | null;
};
