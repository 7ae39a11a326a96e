import { listAttempts } from '../../db/webhooks/attempts/attempt-list.ts';
import type { PageRequest } from '../../db/lists/page.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { printLists, type ListCase, type Size } from '../harness/postgres/list-report.ts';
import { seedBenchVendor, settle } from '../harness/seed.ts';
import { seedDeliveries } from '../harness/seed-deliveries.ts';
import { figure } from '../harness/table.ts';

/** How many attempts the subscriptions have that are compared. */
const counts = [1000, 1_000_000] as const;
/** Others in the same tables. */
const otherSubscriptions = 50;
const otherAttempts = 1000;

const pageSize = 20;

/**
 * A vendor's list of delivery attempts: neither its pages nor its total may care how many attempts
 * there are.
 */
export const deliveries: Benchmark = {
  name: 'deliveries',
  title: 'The attempts of a subscription',
  run: async (context) => {
    const { patientSql, print, say } = context;
    const addSubscription = async (count: number): Promise<Size<Asked>> => {
      const vendorId = await seedBenchVendor(patientSql);
      const options = { vendorId, count, hasAttempts: true };
      return sizeOf(await seedDeliveries(context, options), count);
    };
    for (let other = 0; other < otherSubscriptions; other += 1)
      await addSubscription(otherAttempts);
    say(`making ${counts.join(', ')} attempts`);
    const [small, big] = [await addSubscription(counts[0]), await addSubscription(counts[1])];
    await settle(context);
    print('Subscriptions in the same tables, pages of 20:');
    await printLists(context, [small, big], cases);
  },
};

/** Which page is asked for. */
type Asked = { readonly page: 'first' | 'second' | 'last' };

const sizeOf = (subscriptionId: string, attempts: number): Size<Asked> => ({
  name: figure(attempts),
  list: (sql, { page }) => {
    const number = page === 'first' ? 1 : page === 'second' ? 2 : attempts / pageSize;
    const request: PageRequest = { page: number, pageSize };
    return listAttempts(sql, subscriptionId, request);
  },
});

const cases: readonly ListCase<Asked>[] = [
  { name: 'first page', asked: { page: 'first' } },
  { name: 'second page', asked: { page: 'second' } },
  { name: 'last page', asked: { page: 'last' } },
];
