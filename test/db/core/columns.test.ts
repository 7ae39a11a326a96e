import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import type { Columns } from '../../../db/core/columns.ts';
import { offerPriceColumns, plainOfferColumns } from '../../../db/offers/offer-row.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ sql } = database);
});
afterAll(() => database.drop());

const lists: readonly Pick<Columns<never>, 'table' | 'names' | 'types'>[] = [
  plainOfferColumns,
  offerPriceColumns,
];

test.each(lists)('the columns of $table are as the database has them', async (list) => {
  const columns = await sql<{ name: string; type: string; isRequired: boolean }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as is_required
    from pg_attribute where attrelid = ${list.table}::regclass and attnum > 0 and not attisdropped`;
  const typeOf = new Map(
    columns.map(({ name, type, isRequired }) => [
      name,
      `${type.replace('timestamp with time zone', 'timestamptz')}${isRequired ? '' : '?'}`,
    ]),
  );
  const declared: readonly string[] = Object.values(list.types);
  expect(list.names.map((name) => [name, typeOf.get(name)])).toEqual(
    list.names.map((name, index) => [name, declared[index]]),
  );
});
