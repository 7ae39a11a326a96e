import { expect } from 'vitest';
import { growths } from '../../../bench/recurring/growths.ts';
import { measureReads } from '../../../bench/recurring/measure-reads.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { pool } from '../../db/support.ts';

const few = 1500;
const many = 12_000;
/** Less than `few`, so that counts have to end. */
const countMax = 500;

for (const { rows, add, works } of growths)
  test(`reads no more rows by recurring work as ${rows} grow`, async ({ database, sql }) => {
    const one = pool(database.url, 1);
    const readsOfAll = async () => {
      await sql`vacuum (analyze)`;
      const reads: Record<string, number> = {};
      for (const { before, name, run } of works.filter(({ readsAll }) => readsAll !== true))
        reads[name] = (await measureReads(one, { before, run: (sql) => run(sql, countMax) })).rows;
      return reads;
    };
    await add(sql, few);
    const ofFew = await readsOfAll();
    await add(sql, many - few);
    const ofMany = await readsOfAll();
    const growing = Object.entries(ofMany).filter(
      ([name, read]) => read > (ofFew[name] ?? 0) * 1.5 + 200,
    );
    expect(growing).toEqual([]);
  });
