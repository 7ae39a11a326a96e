import { expect } from 'vitest';
import { gauges, growths, type Work } from '../../../bench/recurring/growths.ts';
import { measureReads } from '../../../bench/recurring/measure-reads.ts';
import { readRecord } from '../../../db/watch/read-record.ts';
import { freshDatabaseTest as test } from '../../support/database/database-test.ts';
import { pool } from '../../db/support.ts';

const few = 1500;
const many = 12_000;
/** Counts up to less than `few`, so that they have to end. */
const lowered = (work: Work): Work =>
  work === gauges ? { ...work, run: (sql) => readRecord(sql, 500) } : work;

for (const { rows, add, works } of growths)
  test(`reads no more rows by recurring work as ${rows} grow`, async ({ database, sql }) => {
    const one = pool(database.url, 1);
    const readsOfAll = async () => {
      await sql`vacuum (analyze)`;
      const reads: Record<string, number> = {};
      for (const work of works) reads[work.name] = (await measureReads(one, lowered(work))).rows;
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
