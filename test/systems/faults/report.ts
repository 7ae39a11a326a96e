import { table } from '../../../bench/harness/table.ts';
import type { Drilled } from './drill.ts';
import type { Cell } from './player.ts';

const problemsMax = 20;

/** What is not as it should be, in words. */
export const problemsOf = ({ cells, problems }: Drilled): readonly string[] => [
  ...problems,
  ...Object.entries(cells).flatMap(([title, { problems }]) =>
    problems.slice(0, problemsMax).map((problem) => `${title}: ${problem}`),
  ),
];

const counts = ['lost', 'doubled', 'stuck', 'wrong'] as const;

/** `0 0 0 0 3.2`: lost, doubled, stuck, wrong, and the seconds to recover. */
export const cellText = (cell: Cell | undefined, digits = 1): string =>
  cell === undefined
    ? ''
    : `${counts.map((name) => cell[name]).join(' ')} ${cell.recoverySeconds.toFixed(digits)}`;

/** The fault table, in Markdown. */
export function tableOf(all: readonly Drilled[]): string {
  const titles = Object.keys(all[0]?.cells ?? {});
  return table(
    ['fault', ...titles, 'doctor'],
    all.map(({ title, cells, isDoctorClean }) => [
      title,
      ...titles.map((story) => cellText(cells[story])),
      isDoctorClean ? 'clean' : 'findings',
    ]),
  );
}
