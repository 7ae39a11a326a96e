import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { table, type Cell } from '../../../bench/harness/table.ts';
import { idleName, type Costs } from './measure.ts';

const file = fileURLToPath(new URL('../../../bench/costs.md', import.meta.url));

const introduction = `# Costs of each operation

\`npm run costs:record\` writes this page. \`test/systems/costs/\` counts again and fails for a
difference: a change that makes an operation dearer or cheaper changes this page, and its commit
says why. The counts do not depend on the speed of the machine. The test allows a difference of 5%
for WAL and of 25% for the idle processes. Other counts of an operation may differ by less than one,
and rows by less than half. A slow machine splits the task of a run that makes a decision, which is
a call of Temporal and three events: these may differ by less than 1.5 and 4.

A figure is the mean of 20 operations, or of five orders, one after another. It has all that the
API, the relay and the worker do until nothing waits, and the compaction of the counters. A
statement that calls a function counts once. A round trip is a wait for Postgres, also for \`begin\`
and \`commit\`. The calls of Temporal are all but those that wait for work. The WAL is without what
comes once in many operations: images of pages, splits of index pages, and the move of the pending
words of waiting offers into their index (about 500 B an offer). What the idle processes do by
themselves is only in the first line.
`;

const walColumn = 'WAL B';
const callsColumn = 'Temporal calls';
const eventsColumn = 'history events';
const heading = ['operation', 'statements', 'round trips', callsColumn, eventsColumn];
const rowHeading = ['operation', 'table', 'inserted', 'updated', 'HOT', 'deleted'];

const tablesOf = (costs: readonly Costs[]): readonly (readonly (readonly Cell[])[])[] => [
  costs.map(({ name, statements, roundTrips, temporalCalls, historyEvents, walBytes }) => [
    name,
    statements,
    roundTrips,
    temporalCalls,
    historyEvents,
    walBytes,
  ]),
  costs.flatMap(({ name, rows }) =>
    rows
      .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
      .map((row) => [
        name,
        row.table,
        row.inserted,
        row.updated,
        row.hot,
        row.deleted,
        row.walBytes,
      ]),
  ),
];

/** The page, as Prettier formats it. */
function pageOf(costs: readonly Costs[]): string {
  const [operations = [], rows = []] = tablesOf(costs);
  return `${[
    introduction,
    table([...heading, walColumn], operations),
    '\n## Rows\n',
    '`HOT` are the updates that write no index. The last column is of the table with its indexes.\n',
    table([...rowHeading, walColumn], rows),
  ].join('\n')}\n`;
}

export const writeLedger = (costs: readonly Costs[]): Promise<void> =>
  writeFile(file, pageOf(costs));

const isFigure = (text: string): boolean => /^[\d.,]+$/.test(text);

/** Each line of the page's tables: what its figures are of, and the figures. */
function linesOf(page: string): ReadonlyMap<string, readonly number[]> {
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && /\d \|$/.test(line));
  return new Map(
    lines.map((line) => {
      const cells = line.split('|').slice(1, -1);
      const texts = cells.map((cell) => cell.trim());
      return [
        texts.filter((text) => !isFigure(text)).join(', '),
        texts.filter(isFigure).map((text) => Number(text.replaceAll(',', ''))),
      ];
    }),
  );
}

/**
 * Whether two figures are of the same costs. The WAL of an operation varies with the pages that its
 * rows share with others, and the polls of the idle processes with the machine. A lease that is
 * renewed once more, or a task of a run that takes two messages, changes a mean by less than one.
 */
function isNear(name: string, column: string, measured: number, known: number): boolean {
  const difference = Math.abs(measured - known);
  if (column === walColumn) return difference <= 0.05 * known;
  if (name === idleName) return difference <= 0.25 * known;
  if (column === callsColumn) return difference < 1.5;
  if (column === eventsColumn) return difference < 4;
  return difference < (heading.includes(column) ? 1 : 0.5);
}

/** What differs from the page, as sentences. The WAL of a single table is not compared. */
export async function differencesFromLedger(costs: readonly Costs[]): Promise<readonly string[]> {
  const known = linesOf(await readFile(file, 'utf8'));
  const measured = linesOf(pageOf(costs));
  const operations = new Set(costs.map(({ name }) => name));
  const differences: string[] = [];
  for (const subject of new Set([...known.keys(), ...measured.keys()])) {
    const columns = operations.has(subject)
      ? [...heading, walColumn].slice(1)
      : rowHeading.slice(2);
    const [before, after] = [known.get(subject) ?? [], measured.get(subject) ?? []];
    for (const [index, column] of columns.entries()) {
      const [was = 0, is = 0] = [before[index], after[index]];
      if (!isNear(subject, column, is, was))
        differences.push(`${subject}: ${column} ${was} → ${is}`);
    }
  }
  return differences;
}
