import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { SchemathesisCall } from './run-schemathesis.ts';

type ById<T> = Readonly<Record<string, T>>;
/** What is counted of a scenario. */
type Recorder = {
  readonly cases?: ById<{ readonly value: { readonly method: string; readonly path: string } }>;
  readonly checks?: ById<readonly { readonly status: string }[]>;
  readonly interactions?: ById<{ readonly response?: { readonly status_code: number } | null }>;
};
/** A line of Schemathesis's event file. An operation without such a line fails the check. */
type ReportedEvent = {
  readonly ScenarioFinished?: { readonly recorder: Recorder };
  readonly EngineFinished?: { readonly stop_reason: string };
  /** Errors of Schemathesis itself, such as a schema that it cannot read. */
  readonly NonFatalError?: unknown;
  readonly FatalError?: unknown;
};

/** The calls, the accepted ones and the failed checks of each operation, as `GET /path`. */
export type Tallies = Map<string, { cases: number; accepted: number; failures: number }>;

/** Adds the cases of a scenario to the tallies; returns its failures. */
function addScenario(tallies: Tallies, recorder: Recorder): number {
  const { cases = {}, checks = {}, interactions = {} } = recorder;
  let sum = 0;
  for (const [id, { value }] of Object.entries(cases)) {
    const status = interactions[id]?.response?.status_code ?? 0;
    const failures = (checks[id] ?? []).filter((check) => check.status === 'failure').length;
    const name = `${value.method} ${value.path}`;
    const tally = tallies.get(name) ?? { cases: 0, accepted: 0, failures: 0 };
    tally.cases += 1;
    tally.accepted += status >= 200 && status < 300 ? 1 : 0;
    tally.failures += failures;
    tallies.set(name, tally);
    sum += failures;
  }
  return sum;
}

/**
 * Adds a call's cases to the tallies. Rejects when the call is incomplete or has an error that is
 * not a failed case.
 */
export async function addCall(
  tallies: Tallies,
  { events, isClean }: SchemathesisCall,
): Promise<void> {
  let stopReason = 'none';
  let failures = 0;
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const event = JSON.parse(line) as ReportedEvent;
    if ('NonFatalError' in event || 'FatalError' in event)
      throw new Error(`Schemathesis reports an error: ${line.slice(0, 2_000)}`);
    stopReason = event.EngineFinished?.stop_reason ?? stopReason;
    failures += addScenario(tallies, event.ScenarioFinished?.recorder ?? {});
  }
  if (stopReason !== 'completed' && stopReason !== 'max_time')
    throw new Error(`Schemathesis did not finish: ${stopReason}`);
  if (isClean === failures > 0) throw new Error('Schemathesis and its report disagree');
}
