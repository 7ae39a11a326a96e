import type { ScannedPage, WrongRow } from '../db/checks/scan.ts';
import type { Check, RunContext } from './check.ts';

/** One fault: its subject, and what is wrong. It quotes no stored text. */
export type Finding = {
  /** The kind of the subject, such as `offer`. */
  readonly subjectType: string;
  readonly subjectId: string;
  readonly text: string;
  /** The workflow of the subject; null where none is concerned. */
  readonly workflowId: string | null;
};

/** What a check needs to name the workflows of its findings. */
type NamingContext = Pick<RunContext, 'runs'>;

export type CheckResult = Pick<Check, 'id' | 'title'> & {
  readonly checked: number;
  readonly found: number;
  readonly isRepairable: boolean;
  readonly repaired: number;
  /** The first findings. */
  readonly findings: readonly Finding[];
  /** Whether the check looked at everything. */
  readonly isComplete: boolean;
  /** Why the check or its repair ended early; null if nothing failed. */
  readonly error: unknown;
};

export type CheckOptions = {
  readonly isRepairing: boolean;
  /** The most findings of a check that its result lists. */
  readonly findingsMax: number;
  /** Ends the check at once. */
  readonly signal?: AbortSignal;
};

/** Runs a check to its end. A failed one has a result too, so that the others still run. */
export async function runCheck<TContext extends NamingContext>(
  context: TContext,
  check: Check<TContext>,
  { isRepairing, findingsMax, signal }: CheckOptions,
): Promise<CheckResult> {
  const { id, title, subjectType, kind, repair } = check;
  const known = { checked: 0, found: 0, repaired: 0 };
  const findings: Finding[] = [];
  const end = (isComplete: boolean, error: unknown): CheckResult => {
    const isRepairable = repair !== null;
    return { id, title, ...known, isRepairable, findings, isComplete, error };
  };
  const toFinding = ({ id: subjectId, text, workflowId }: WrongRow): Finding => {
    const ofSubject = kind === null ? null : context.runs.workflowId(kind, subjectId);
    return { subjectType, subjectId, text, workflowId: workflowId ?? ofSubject };
  };
  try {
    for await (const { checked, wrong } of untilAborted(check.find(context), signal)) {
      known.checked += checked;
      known.found += wrong.length;
      findings.push(...wrong.slice(0, findingsMax - findings.length).map(toFinding));
      if (isRepairing && repair !== null && wrong.length > 0)
        known.repaired += await repair(context, [...new Set(wrong.map((row) => row.id))]);
    }
    return end(signal?.aborted !== true, null);
  } catch (error) {
    return end(false, error);
  }
}

/** The pages until the signal, which does not wait for the page under way. */
async function* untilAborted(
  pages: AsyncIterable<ScannedPage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ScannedPage> {
  const iterator = pages[Symbol.asyncIterator]();
  // Removes the listener at the end, because the signal outlives the check.
  const listening = new AbortController();
  const aborted = new Promise<null>((resolve) => {
    const options = { once: true, signal: listening.signal };
    if (signal?.aborted === true) resolve(null);
    else signal?.addEventListener('abort', () => resolve(null), options);
  });
  try {
    for (;;) {
      const next = iterator.next();
      const page = await Promise.race([next, aborted]);
      if (page === null) {
        // A failure of the page that is given up would otherwise end the process.
        next.catch(() => undefined);
        return;
      }
      if (page.done === true) return;
      yield page.value;
    }
  } finally {
    listening.abort();
  }
}

/** Whether a check looked at everything and found nothing. */
export const isClean = ({ found, isComplete }: CheckResult): boolean => isComplete && found === 0;

/**
 * Runs checks within a time. Each check has an equal share of the time that is left, so a slow
 * check does not stop the others. A check whose share was too short runs once more in the time that
 * the others have left.
 */
export async function examineWithin<TContext extends NamingContext>(
  context: TContext,
  checks: readonly Check<TContext>[],
  { timeLimitMs, findingsMax }: { readonly timeLimitMs: number; readonly findingsMax: number },
): Promise<readonly CheckResult[]> {
  const endMs = performance.now() + timeLimitMs;
  const results = new Map<string, CheckResult>();
  const isUndone = ({ id }: Check<TContext>): boolean => {
    const { isComplete, error } = results.get(id) ?? { isComplete: false, error: null };
    return !isComplete && error === null;
  };
  for (let round = 1; round <= 2; round += 1) {
    const undone = checks.filter(isUndone);
    for (const [index, check] of undone.entries()) {
      const shareMs = (endMs - performance.now()) / (undone.length - index);
      const signal = AbortSignal.timeout(Math.max(1, Math.floor(shareMs)));
      const result = await runCheck(context, check, { isRepairing: false, findingsMax, signal });
      const earlier = results.get(check.id);
      // A second look may be shorter than the first.
      if (earlier === undefined || result.checked >= earlier.checked) results.set(check.id, result);
    }
  }
  return checks.flatMap(({ id }) => results.get(id) ?? []);
}
