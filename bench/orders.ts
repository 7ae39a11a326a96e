import type { Sql } from '../db/core/client.ts';
import { listGroups, type GroupFilter } from '../db/orders/group-list.ts';
import type { PageRequest } from '../db/lists/page.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { compare } from './harness/measures/compare.ts';
import { explainStatements } from './harness/postgres/plans.ts';
import { seedBenchVendor, settle } from './harness/seed.ts';
import { seedGroups } from './harness/seed-groups.ts';
import { figure } from './harness/table.ts';

/** How many groups the vendors have that are compared. */
const counts = [1000, 1_000_000] as const;
/** Others in the same tables. */
const otherVendors = 50;
const otherVendorGroups = 1000;

type Size = { readonly vendorId: string; readonly groups: number; readonly seededAt: number };
/** `ago` is in groups, the one that changed last being 0. */
type Asked = (size: Size) => { readonly filter?: Partial<GroupFilter>; readonly page?: number };

const pageSize = 20;
const ago = ({ seededAt }: Size, groups: number): string =>
  new Date(seededAt - groups * 1000).toISOString();

const cases: readonly (readonly [name: string, asked: Asked])[] = [
  ['page 1', () => ({})],
  ['page 1 of a status, one in 10', () => ({ filter: { status: 'Pending' } })],
  ['changedSince: the last 20 changes', (size) => ({ filter: { changedSince: ago(size, 20) } })],
  [
    'changedSince: the last 200 changes, of a status',
    (size) => ({ filter: { status: 'Pending', changedSince: ago(size, 200) } }),
  ],
  [
    'changedSince ever: the first sync',
    (size) => ({ filter: { changedSince: ago(size, 2 * size.groups) } }),
  ],
  [
    'changedSince ever: page 50, as it stood at page 1',
    (size) => ({ filter: { changedSince: ago(size, 2 * size.groups) }, page: 50 }),
  ],
  ['the last page', (size) => ({ page: size.groups / pageSize })],
];

/** A vendor's shipments: a page and a delta must not care how many groups there are. */
export const orders: Benchmark = {
  name: 'orders',
  title: "A vendor's shipments",
  run: async (context) => {
    const { sql, print, say } = context;
    const variantId = await seedVariant(sql);
    const addVendor = async (groups: number): Promise<Size> => {
      const vendorId = await seedBenchVendor(sql);
      const seededAt = await seedGroups(context, { vendorId, variantId, count: groups });
      return { vendorId, groups, seededAt };
    };
    for (let other = 0; other < otherVendors; other += 1) await addVendor(otherVendorGroups);
    say(`making ${counts.join(', ')} groups`);
    const sizes = [await addVendor(counts[0]), await addVendor(counts[1])];
    await settle(context);
    print('Vendors in the same tables, pages of 20, one call at a time:');
    for (const [name, asked] of cases) await measure(context, sizes, name, asked);
  },
};

async function measure(
  context: BenchmarkContext,
  sizes: readonly Size[],
  name: string,
  asked: Asked,
): Promise<void> {
  const listOf = (size: Size, turned?: number) => {
    const { filter, page = 1 } = asked(size);
    const request: PageRequest = { page: turned ?? page, pageSize };
    return (sql: Sql) =>
      listGroups(sql, size.vendorId, { status: null, changedSince: null, ...filter }, request);
  };
  // A client reads later pages after the first one.
  for (const size of sizes) await listOf(size, 1)(context.patientSql);
  const candidates = sizes.map((size) => {
    const list = listOf(size);
    return { name: `${name}, of ${figure(size.groups)}`, work: () => list(context.patientSql) };
  });
  context.print(await compare(context, 1, candidates));
  const [, big] = sizes;
  if (big !== undefined)
    await explainStatements(context, context.patientSql, () => listOf(big)(context.patientSql));
}
