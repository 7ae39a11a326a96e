import { withId } from '../../../../scripts/demo/api-calls.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { seedApprovedOffers } from './approved-offers.ts';
import { firstWrong } from './events.ts';
import { rowOf, type Story } from './story.ts';

/** More than a batch. */
const itemsOfJob = 300;
/** Unlike the stock that the offers begin with. */
const quantityOf = (number: number): number => 1000 + number;

type Pushed = {
  /** The offer of the first item. */
  readonly offerId: string;
  readonly copies: number;
  readonly isEnded: boolean;
  readonly state: string;
  readonly succeeded: number;
  readonly results: number;
};

/** A vendor pushes the stock of many offers by one job, and every item runs once. */
export const bulkJob: Story = {
  title: 'bulk job',
  course: `A vendor pushes the stock of ${itemsOfJob} offers by a job, which runs in two batches.`,
  everyMs: 2000,
  openMax: 10,
  turnsMax: 40,
  isRepeatable: true,
  prepare: async ({ sql, clients, drill, turnsMax }) => {
    const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
    const vendor = await clients.vendor(vendorId);
    const count = turnsMax * itemsOfJob;
    await seedApprovedOffers(sql, { vendorId, variantId, count });
    const offers = await sql<{ id: string }[]>`
      select id from offers where vendor_id = ${vendorId} order by id`;
    const offersOf = (number: number): readonly string[] =>
      offers.slice(number * itemsOfJob, (number + 1) * itemsOfJob).map(({ id }) => id);
    const numbers = new Map(
      Array.from({ length: turnsMax }, (_, number) => [offersOf(number)[0] ?? '', number]),
    );
    return {
      play: async ({ number, persist }) => {
        const declared = { declaredInStock: true, declaredStockQuantity: quantityOf(number) };
        const items = offersOf(number).map((offerId) => ({ offerId, ...declared }));
        await persist(String(number), () =>
          vendor.expect('POST /api/v1/scent/jobs', withId, {
            status: 202,
            body: { kind: 'pushStocks', items },
            // A repeated call after a lost response starts no second job.
            headers: { 'idempotency-key': `${drill}-${number}` },
          }),
        );
      },
      read: async () => {
        const jobs = await sql<Pushed[]>`
          select first.offer_id, count(*) over (partition by first.offer_id)::int as copies,
            ended_at is not null as is_ended, state, done_count as succeeded,
            (select count(*)::int from bulk_job_results where job_id = job.id) as results
          from bulk_jobs as job cross join lateral (
            select coalesce(
              (select offer_id from bulk_job_results where job_id = job.id and index = 0),
              (
                select (item -> 'name' ->> 'offerId')::uuid from bulk_job_items
                where job_id = job.id and index = 0
              )
            ) as offer_id
          ) as first
          where vendor_id = ${vendorId}`;
        const stocks = await sql<{ quantity: number; offers: number }[]>`
          select declared_stock_quantity as quantity, count(*)::int as offers from offers
          where vendor_id = ${vendorId} group by declared_stock_quantity`;
        const stored = new Map(stocks.map(({ quantity, offers }) => [quantity, offers]));
        return jobs.map(({ offerId, copies, isEnded, state, succeeded, results }) => {
          const number = numbers.get(offerId) ?? -1;
          const pushed = stored.get(quantityOf(number)) ?? 0;
          const isWhole = [succeeded, results, pushed].every((each) => each === itemsOfJob);
          return rowOf(String(number), {
            isEnded,
            doubled: copies - 1,
            wrong: firstWrong(
              isEnded && state !== 'Finished' ? `job ${number} is ${state}` : null,
              isEnded && !isWhole
                ? `job ${number}: ${succeeded} done, ${results} results, ${pushed} offers`
                : null,
            ),
          });
        });
      },
    };
  },
};
