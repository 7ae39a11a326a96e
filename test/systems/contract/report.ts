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

/** Counts of the calls of one operation. */
export type Tally = {
  readonly cases: number;
  readonly accepted: number;
  readonly checks: number;
  readonly failures: number;
};
/** By operation: `GET /path`. */
export type Tallies = Map<string, Tally>;

const nothing: Tally = { cases: 0, accepted: 0, checks: 0, failures: 0 };

const sum = (a: Tally, b: Tally): Tally => ({
  cases: a.cases + b.cases,
  accepted: a.accepted + b.accepted,
  checks: a.checks + b.checks,
  failures: a.failures + b.failures,
});

function add(tallies: Tallies, name: string, tally: Tally): void {
  tallies.set(name, sum(tallies.get(name) ?? nothing, tally));
}

/**
 * Adds a run's cases to the tallies. Rejects when the run is incomplete or has an error that is not
 * a failed case.
 */
export async function addRun(tallies: Tallies, { events, isClean }: Run): Promise<void> {
  const run: Tallies = new Map();
  let stopReason = 'none';
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const event: unknown = JSON.parse(line);
    if (v.is(broken, event))
      throw new Error(`Schemathesis reports an error: ${line.slice(0, 2_000)}`);
    if (v.is(ended, event)) stopReason = event.EngineFinished.stop_reason;
    const parsed = v.safeParse(finished, event);
    if (parsed.success) addScenario(run, parsed.output.ScenarioFinished.recorder);
  }
  if (stopReason !== 'completed' && stopReason !== 'max_time') {
    throw new Error(`Schemathesis did not finish: ${stopReason}`);
  }
  const hasFailures = totalOf(run).failures > 0;
  if (isClean === hasFailures) throw new Error('Schemathesis and its report disagree');
  for (const [name, tally] of run) add(tallies, name, tally);
}

function addScenario(tallies: Tallies, { cases, checks, interactions }: Recorder): void {
  for (const [id, { value }] of Object.entries(cases)) {
    const status = interactions[id]?.response?.status_code ?? 0;
    const judged = checks[id] ?? [];
    const name = `${value.method} ${value.path}`;
    const one = {
      cases: 1,
      accepted: status >= 200 && status < 300 ? 1 : 0,
      checks: judged.length,
      failures: judged.filter((check) => check.status === 'failure').length,
    };
    add(tallies, name, one);
  }
}

export const totalOf = (tallies: Tallies): Tally => [...tallies.values()].reduce(sum, nothing);

/** A text table: a line for each operation of the document, and one for all undeclared methods. */
export function table(tallies: Tallies, declared: readonly string[]): string {
  const others = [...tallies]
    .filter(([name]) => !declared.includes(name))
    .map(([, tally]) => tally);
  const rows: (readonly [string, Tally])[] = [
    ...declared.map((name) => [name, tallies.get(name) ?? nothing] as const),
    ['(undeclared methods)', others.reduce(sum, nothing)],
    ['total', totalOf(tallies)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(9))].join(' ');
  return [
    line('operation', ['cases', 'accepted', 'checks', 'failures']),
    ...rows.map(([name, { cases, accepted, checks, failures }]) =>
      line(name, [cases, accepted, checks, failures]),
    ),
  ].join('\n');
}
