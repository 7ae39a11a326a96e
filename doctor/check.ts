import type { Sql } from '../db/core/client.ts';
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

/** The result of a check. */
export type CheckResult = {
  readonly check: Pick<Check, 'id' | 'title'> & { readonly repair: unknown };
  readonly checked: number;
  readonly found: number;
  readonly repaired: number;
  /** The first findings. */
  readonly findings: readonly Finding[];
  /** Why the check did not look at everything; null if it did. */
  readonly stopped: 'time' | 'error' | null;
  readonly error: unknown;
};

export type CheckOptions = {
  readonly isRepairing: boolean;
  /** The most findings of a check that its result lists. */
  readonly findingsMax: number;
  /** Ends the check after the page under way. */
  readonly signal?: AbortSignal;
};

/** Runs a check to its end. A failed one has a result too, so that the others still run. */
export async function runCheck<TContext>(
  context: TContext,
  check: Check<TContext>,
  { isRepairing, findingsMax, signal }: CheckOptions,
): Promise<CheckResult> {
  const result = { checked: 0, found: 0, repaired: 0, findings: [] as Finding[] };
  const end = (stopped: CheckResult['stopped'], error: unknown = null): CheckResult => ({
    check,
    ...result,
    stopped,
    error,
  });
  try {
    for await (const { checked, findings } of check.find(context)) {
      result.checked += checked;
      result.found += findings.length;
      result.findings.push(...findings.slice(0, findingsMax - result.findings.length));
      if (isRepairing && check.repair !== null && findings.length > 0)
        result.repaired += await check.repair(context, findings);
      if (signal?.aborted === true) return end('time');
    }
    return end(null);
  } catch (error) {
    return end('error', error);
  }
}
