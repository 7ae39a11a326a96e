import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Run } from './run-schemathesis.ts';

/** The part of Schemathesis's event file that is counted. */
const finished = v.object({
  ScenarioFinished: v.object({
    recorder: v.object({
      cases: v.optional(
        v.record(
          v.string(),
          v.object({ value: v.object({ method: v.string(), path: v.string() }) }),
        ),
        {},
      ),
      checks: v.optional(v.record(v.string(), v.array(v.object({ status: v.string() }))), {}),
      interactions: v.optional(
        v.record(
          v.string(),
          v.object({ response: v.nullish(v.object({ status_code: v.number() })) }),
        ),
        {},
      ),
    }),
  }),
});
type Recorder = v.InferOutput<typeof finished>['ScenarioFinished']['recorder'];
const ended = v.object({ EngineFinished: v.object({ stop_reason: v.string() }) });
/** An error of Schemathesis itself, such as a schema that it cannot read. */
const broken = v.union([
  v.object({ NonFatalError: v.unknown() }),
  v.object({ FatalError: v.unknown() }),
]);

/** The calls, the accepted ones and the failed checks of each operation, as `GET /path`. */
export type Tallies = Map<string, { cases: number; accepted: number; failures: number }>;

/** Adds the cases of a scenario to the tallies; returns its failures. */
function addScenario(tallies: Tallies, { cases, checks, interactions }: Recorder): number {
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
 * Adds a run's cases to the tallies. Rejects when the run is incomplete or has an error that is not
 * a failed case.
 */
export async function addRun(tallies: Tallies, { events, isClean }: Run): Promise<void> {
  let stopReason = 'none';
  let failures = 0;
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const event: unknown = JSON.parse(line);
    if (v.is(broken, event))
      throw new Error(`Schemathesis reports an error: ${line.slice(0, 2_000)}`);
    if (v.is(ended, event)) stopReason = event.EngineFinished.stop_reason;
    const parsed = v.safeParse(finished, event);
    if (parsed.success) failures += addScenario(tallies, parsed.output.ScenarioFinished.recorder);
  }
  if (stopReason !== 'completed' && stopReason !== 'max_time')
    throw new Error(`Schemathesis did not finish: ${stopReason}`);
  if (isClean === failures > 0) throw new Error('Schemathesis and its report disagree');
}
