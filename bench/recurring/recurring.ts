import { connect, type Sql } from '../../db/core/client.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { settle } from '../harness/seed.ts';
import { figure, table, type Cell } from '../harness/table.ts';
import { growths, type Growth } from './growths.ts';
import { measureReads, type Reads } from './measure-reads.ts';
import { printReconciliations } from './reconciliation.ts';

/** Work that is repeated costs the same at any size of the tables, unless it reads all rows. */
export const recurring: Benchmark = {
  name: 'recurring',
  title: 'Recurring work',
  hasTemporal: true,
  run: async (context) => {
    const { isAsked, isQuick, print } = context;
    // First, so that the API has nothing to hand over to Temporal for the rows that follow.
    if (isAsked('reconciliations'))
      await printReconciliations(context, isQuick ? [10, 20] : [300, 1000, 3000]);
    const sizes = isQuick ? [100, 1000] : [10_000, 100_000, 1_000_000];
    const lines: Cell[][] = [];
    const asked = growths.filter(({ rows }) => isAsked(rows));
    for (const growth of asked) lines.push(...(await linesOf(context, growth, sizes)));
    print(table(['work', 'rows', ...sizes.map(figure), 'ms'], lines));
  },
};

async function clear(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = current_schema() and tablename not like 'schema%'`;
  await sql`truncate ${sql(tables.map(({ name }) => name))}`;
}

/** A line for each work of a growth, with the pages at each size, and the time at the last one. */
async function linesOf(
  context: BenchmarkContext,
  { rows, add, works }: Growth,
  sizes: readonly number[],
): Promise<readonly Cell[][]> {
  const { databaseUrl, patientSql, say } = context;
  const one = connect(databaseUrl, { max: 1, name: 'bench, recurring' });
  const reads = new Map<string, Reads[]>();
  let count = 0;
  for (const size of sizes) {
    say(`making ${figure(size)} ${rows}`);
    await add(patientSql, size - count);
    count = size;
    await settle(context);
    for (const work of works) {
      const before = reads.get(work.name) ?? [];
      reads.set(work.name, [...before, await measureReads(one, work)]);
    }
  }
  await one.end();
  await clear(patientSql);
  return works.map(({ name }) => {
    const measured = reads.get(name) ?? [];
    return [name, rows, ...measured.map(({ pages }) => pages), measured.at(-1)?.ms ?? Number.NaN];
  });
}
