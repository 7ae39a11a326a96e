import { miscounted, type Judged, type Problem } from './answer.ts';

/** What came of many malformed requests, by what was wrong with them. */
export type Tally = {
  readonly add: (
    number: number,
    mutators: readonly [string, ...string[]],
    judged: readonly Judged[],
  ) => void;
  /** A request that found no answer where one was due, or too many. */
  readonly fault: (
    number: number,
    mutators: readonly [string, ...string[]],
    problem: string,
  ) => void;
  readonly requests: () => number;
  readonly problems: () => readonly string[];
  readonly problemsOf: (kind: Problem['kind']) => number;
  /** `[what was wrong, requests, answers as they were seen]`. */
  readonly rows: () => readonly (readonly [string, number, string])[];
};

/** Problems are counted without end, and told in words so many times for each kind of request. */
const toldMax = 3;

export function createTally(): Tally {
  const lines = new Map<string, { requests: number; told: number; seen: Map<string, number> }>();
  const told: string[] = [];
  const kinds = new Map<string, number>();
  let [count, faults] = [0, 0];
  const lineOf = (mutator: string) => {
    const line = lines.get(mutator) ?? { requests: 0, told: 0, seen: new Map<string, number>() };
    lines.set(mutator, line);
    return line;
  };
  const tell = (
    number: number,
    mutators: readonly [string, ...string[]],
    { kind, text }: Problem,
  ): void => {
    faults += 1;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const line = lineOf(mutators[0]);
    line.told += 1;
    if (line.told <= toldMax) told.push(`request ${number} (${mutators.join(' + ')}): ${text}`);
  };
  return {
    add: (number, mutators, judged) => {
      const line = lineOf(mutators[0]);
      line.requests += 1;
      count += 1;
      for (const { name, problems } of judged) {
        line.seen.set(name, (line.seen.get(name) ?? 0) + 1);
        for (const problem of problems) tell(number, mutators, problem);
      }
      if (judged.length === 0)
        line.seen.set('no answer due', (line.seen.get('no answer due') ?? 0) + 1);
    },
    fault: (number, mutators, problem) => {
      lineOf(mutators[0]).requests += 1;
      count += 1;
      tell(number, mutators, miscounted(problem));
    },
    requests: () => count,
    problems: () => (faults > told.length ? [...told, `and ${faults - told.length} more`] : told),
    problemsOf: (kind) => kinds.get(kind) ?? 0,
    rows: () =>
      [...lines]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([mutator, { requests, seen }]) => [mutator, requests, seenAs(seen)] as const),
  };
}

const seenAs = (seen: ReadonlyMap<string, number>): string =>
  [...seen]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
