import { median } from '../harness/load.ts';

/** How much memory the API process had after so many requests, garbage collected. */
export type MemorySample = {
  readonly requests: number;
  /** Resident, in bytes. */
  readonly rss: number;
  /** In use, in the heap and beside it, in bytes. */
  readonly live: number;
};

type Kind = 'rss' | 'live';

/** How much more there is in the last quarter of the samples than in the first, by their medians. */
export function growth(samples: readonly MemorySample[], kind: Kind): number {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const of = (some: readonly MemorySample[]): number => median(some.map((sample) => sample[kind]));
  return of(samples.slice(-quarter)) - of(samples.slice(0, quarter));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Bytes a request over the second half, by least squares. */
export function slope(samples: readonly MemorySample[], kind: Kind): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [x, y] = [
    mean(half.map(({ requests }) => requests)),
    mean(half.map((sample) => sample[kind])),
  ];
  const over = half.reduce((sum, sample) => sum + (sample.requests - x) * (sample[kind] - y), 0);
  const under = half.reduce((sum, { requests }) => sum + (requests - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

/**
 * What a hundred thousand requests may add. In use: 40 bytes a request, less than the smallest thing that could be kept for each of
 * them (an entry of a map with a number for its key takes more), and several times what as many well-formed ones differ by.
 * A shorter run has a mebibyte in any case, which is what code that warms up takes. Resident: the allocator keeps and gives back what bodies of a mebibyte took, by tens of mebibytes from sample to sample.
 * Well-formed requests are held to the same: what is kept of every request is a leak, too.
 */
const allowance = { liveBytesEach: 40, liveBytesMin: 2 ** 20, rssBytes: 48 * 2 ** 20 } as const;

export function judgeMemory(name: string, samples: readonly MemorySample[]): readonly string[] {
  const requests = (samples.at(-1)?.requests ?? 0) - (samples[0]?.requests ?? 0);
  const bounds = {
    live: Math.max(allowance.liveBytesMin, allowance.liveBytesEach * requests),
    rss: allowance.rssBytes,
  };
  const trend = slope(samples, 'live') * requests;
  return [
    ...(['live', 'rss'] as const)
      .filter((kind) => growth(samples, kind) > bounds[kind])
      .map(
        (kind) =>
          `${name}: ${kind} grew by ${mib(growth(samples, kind))}, more than ${mib(bounds[kind])}`,
      ),
    // What is resident swings too widely for a trend to say anything.
    ...(trend > bounds.live
      ? [`${name}: live goes on growing, by ${mib(trend)} in as many requests`]
      : []),
  ];
}

export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
