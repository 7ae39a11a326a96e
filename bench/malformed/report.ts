import type { Place } from '../harness/benchmark.ts';
import { growth, mib, slope, type MemorySample } from './memory.ts';
import { lineOf, memoryPlot } from './plot.ts';
import { table } from '../harness/table.ts';

export type MemoryRuns = {
  readonly samples: readonly MemorySample[];
  readonly control: readonly MemorySample[];
};

const row = (name: string, its: readonly MemorySample[], kind: 'rss' | 'live') => [
  name,
  mib(its[0]?.[kind] ?? 0),
  mib(its[Math.floor(its.length / 2)]?.[kind] ?? 0),
  mib(its.at(-1)?.[kind] ?? 0),
  mib(growth(its, kind)),
  slope(its, kind),
];

/** Memory at three moments, and how it moved. */
export function reportMemory(print: Place['print'], { samples, control }: MemoryRuns): void {
  print('Memory of the API process after garbage collection, from the end of the warm-up on:');
  print(
    table(
      ['', 'at first', 'in the middle', 'at last', 'growth', 'bytes a request, second half'],
      [
        row('in use, malformed', samples, 'live'),
        row('in use, well-formed', control, 'live'),
        row('resident, malformed', samples, 'rss'),
        row('resident, well-formed', control, 'rss'),
      ],
    ),
  );
}

/** The same as a picture. */
export const memoryPicture = ({ samples, control }: MemoryRuns): string =>
  memoryPlot('Memory of the API process, garbage collected', [
    lineOf('in use, malformed', samples, 'live', { colour: '#d1495b', isDashed: false }),
    lineOf('in use, well-formed', control, 'live', { colour: '#d1495b', isDashed: true }),
    lineOf('resident, malformed', samples, 'rss', { colour: '#3d7ea6', isDashed: false }),
    lineOf('resident, well-formed', control, 'rss', { colour: '#3d7ea6', isDashed: true }),
  ]);
