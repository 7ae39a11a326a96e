import type { Sql } from '../../../db/core/client.ts';
import type { BenchmarkContext } from '../benchmark.ts';
import { planText, summarizePlan } from './plans.ts';
import { captureStatements, timeOf, timeStatement, type Statement } from './statements.ts';
import { figure, table, type Cell } from '../table.ts';

/** One way to ask for a list. */
export type ListCase<TAsked> = { readonly name: string; readonly asked: TAsked };

/** The list of the case with this number of rows. */
export type Size<TAsked> = {
  readonly name: string;
  readonly list: (sql: Sql, asked: TAsked) => Promise<unknown>;
};

/** Measures each case's page and count apart, as the statements that `db/` sends for it. */
export async function measureLists<TAsked>(
  context: BenchmarkContext,
  { name, list }: Size<TAsked>,
  cases: readonly ListCase<TAsked>[],
) {
  const lists: { page: Measured; count: Measured; callMs: number }[] = [];
  for (const { name: caseName, asked } of cases) {
    context.say(`${caseName} at ${name}`);
    const statements = await captureStatements(context.patientSql, () =>
      list(context.patientSql, asked),
    );
    // The last of each: while a switch is under way, a first look is followed by a second.
    const count = statements.findLast(({ text }) => /\bas total\b/.test(text));
    // Most lists read both by one statement.
    const page = statements.findLast(({ text }) => /\blimit \$\d+ offset\b/.test(text)) ?? count;
    if (page === undefined || count === undefined) throw new Error('a list is a page and a count');
    if (context.explains)
      context.print(`${caseName} at ${name}:\n${await planText(context.patientSql, page)}`);
    if (context.explains) context.print(await planText(context.patientSql, count));
    lists.push({
      page: await measure(context, page),
      count: await measure(context, count),
      // Of all statements of the list, with their transaction.
      callMs: await timeOf(() => list(context.patientSql, asked)),
    });
  }
  return { name, lists };
}

/** What was measured at one size, case by case. */
export type MeasuredSize = Awaited<ReturnType<typeof measureLists>>;

const measure = async ({ patientSql: sql }: BenchmarkContext, statement: Statement) => ({
  ms: await timeStatement(sql, statement),
  /** By a plan for these values, and by the one for any; null where calls never take that one. */
  custom: await summarizePlan(sql, statement, 'force_custom_plan'),
  generic: statement.isPlannedForValues
    ? null
    : await summarizePlan(sql, statement, 'force_generic_plan'),
});

type Measured = Awaited<ReturnType<typeof measure>>;

/** Prints times in ms with their ratios, the 8 KiB pages read, and the plans at the bigger size. */
export function printMeasured<TAsked>(
  { print }: BenchmarkContext,
  cases: readonly ListCase<TAsked>[],
  [small, big]: readonly [MeasuredSize, MeasuredSize],
): void {
  const rows = cases.map(({ name }, index): readonly Cell[] => {
    const [a, b] = [small.lists[index], big.lists[index]];
    if (a === undefined || b === undefined) throw new Error('every case is measured at both sizes');
    return [
      name,
      a.page.ms,
      b.page.ms,
      b.page.ms / a.page.ms,
      b.page.custom.buffers,
      a.count.ms,
      b.count.ms,
      b.count.ms / a.count.ms,
      a.callMs,
      b.callMs,
      b.callMs / a.callMs,
    ];
  });
  const of = (what: string) => [`${what} ${small.name}`, big.name, 'ratio'];
  print(table(['', ...of('page'), '8 KiB', ...of('count'), ...of('call')], rows));
  const plans = cases.flatMap(({ name }, index) => {
    const list = big.lists[index];
    return list === undefined
      ? []
      : [`- ${name}: ${planOf(list.page)}. Count: ${planOf(list.count)}.`];
  });
  print(`Plans at ${big.name}:\n\n${plans.join('\n')}`);
}

/** Postgres may take either plan, by what it has learned of the first five executions. */
const planOf = ({ custom, generic }: Measured): string =>
  generic === null || custom.steps === generic.steps
    ? custom.steps
    : `${custom.steps}; by the plan for any values ${generic.steps} (${figure(generic.buffers)} ` +
      'pages)';

/** Measures and prints at two sizes. */
export async function printLists<TAsked>(
  context: BenchmarkContext,
  [small, big]: readonly [Size<TAsked>, Size<TAsked>],
  cases: readonly ListCase<TAsked>[],
): Promise<void> {
  const measured = [
    await measureLists(context, small, cases),
    await measureLists(context, big, cases),
  ] as const;
  printMeasured(context, cases, measured);
}
