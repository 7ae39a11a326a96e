import { listAuditEntries } from '../db/accounts/audit.ts';
import type { Sql } from '../db/core/client.ts';
import type { PageRequest } from '../db/lists/page.ts';
import { listOffers } from '../db/offers/lists/offer-list.ts';
import { listGroups } from '../db/orders/group-list.ts';
import { listDeliveries } from '../db/webhooks/webhook-deliveries.ts';
import { anyDelivery } from '../test/support/webhooks/any-delivery.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { median } from './harness/measures/load.ts';
import { catalogMix, seedAudit, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import { seedDeliveries } from './harness/seed-deliveries.ts';
import { seedGroups } from './harness/seed-groups.ts';
import { figure, table } from './harness/table.ts';

const count = 1_000_000;
const pageSize = 20;
const pages = count / pageSize;
const times = 9;
const depths = { first: 1, tenth: pages / 10, middle: pages / 2, 'last but 1,000': pages - 1000 };
const asked = Object.entries({ ...depths, last: pages });

type List = (sql: Sql, request: PageRequest) => Promise<{ readonly items: readonly unknown[] }>;

type Measured = {
  readonly name: string;
  readonly seed: () => Promise<unknown>;
  readonly list: List;
};

/** Pages by number at a million rows: each is counted from the nearer end of its list. */
export const deepPages: Benchmark = {
  name: 'deep-pages',
  title: 'Deep pages',
  run: async (context) => {
    const { sql, patientSql, print, say } = context;
    const variantId = await seedVariant(sql);
    const vendorId = await seedBenchVendor(sql);
    const none = { vendorSku: null, vendorExternalId: null, createdFrom: null, createdTo: null };
    const measured: readonly Measured[] = [
      {
        name: "a vendor's shipments",
        seed: () => seedGroups(context, { vendorId, variantId, count }),
        list: (pool, request) =>
          listGroups(pool, vendorId, { status: null, changedSince: null }, request),
      },
      {
        name: 'all deliveries',
        seed: () => seedDeliveries(context, { vendorId, count }),
        list: (pool, request) => listDeliveries(pool, anyDelivery, request),
      },
      {
        name: "a vendor's offers",
        seed: () => seedOffers(context, { vendorId, variantId, count, mix: catalogMix }),
        list: (pool, request) =>
          listOffers(pool, vendorId, { ...none, status: null, changedSince: null }, request),
      },
      {
        name: 'the audit log',
        seed: () => seedAudit(context, count),
        list: (pool, request) =>
          listAuditEntries(pool, { operatorId: null, subjectId: null }, request),
      },
    ];
    print(`Median ms of a page of ${pageSize} among ${figure(count)}, one call at a time:`);
    for (const { name, seed, list } of measured) {
      say(`making ${count}: ${name}`);
      await seed();
      await settle(context);
      const row = [];
      for (const [, page] of asked)
        row.push(await timeOf(() => list(patientSql, { page, pageSize })));
      print(table([name, ...asked.map(([depth]) => depth)], [['ms', ...row]]));
    }
  },
};

async function timeOf(read: () => ReturnType<List>): Promise<number> {
  const timesMs: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    const { items } = await read();
    if (items.length !== pageSize) throw new Error(`${items.length} items on a page`);
    timesMs.push(performance.now() - begun);
  }
  return median(timesMs);
}
