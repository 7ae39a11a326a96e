import { expect } from 'vitest';
import { runReviewBatch } from '../../../commands/jobs/run-review-batch.ts';
import { findOffer } from '../../../db/offers/offers.ts';
import { changeAgreement, holdOffer, seedManyOffers } from '../../support/seeds/agreement.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { barcodes, newOfferFixture } from '../offers/offer-fixture.ts';
import {
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
  type TestOperator,
} from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { jobsOf, runReviewJob, startReviewJob } from './job-fixture.ts';

// Batches of jobs beside what else takes the locks of their vendor: decisions, single pushes and
// agreement switches (D103).

type Item = { readonly offerId: string; readonly expectedVersion: number };

async function stagedItems(gateway: Gateway, vendorId: string, count: number) {
  const variantId = (await newVariant(gateway)).id;
  const seeded = { approvedWithStagedPrice: count };
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, seeded);
  const ids = offers.map(({ id }) => id);
  return gateway.sql<Item[]>`
    select offers.id as offer_id, judged_version + agreement_version as expected_version
    from offers join vendors on vendors.id = offers.vendor_id
    where offers.id = any(${ids}::uuid[])`;
}

async function decideSingly(gateway: Gateway, { token }: TestOperator, items: readonly Item[]) {
  const statuses: number[] = [];
  for (const { offerId, expectedVersion } of items) {
    const url = `/operator/v1/offers/${offerId}/pending-price/apply`;
    const body = { expectedVersion };
    statuses.push((await call(gateway, 'POST', url, { token, body })).status);
  }
  return statuses;
}

test('runs jobs, decisions and switches without a deadlock', async ({ gateway }) => {
  const { sql } = gateway;
  const [first, second] = [await newOperator(gateway), await newOperator(gateway)];
  for (let round = 0; round < 4; round += 1) {
    const [one, other] = [await newVendor(gateway), await newVendor(gateway)];
    const items = [
      ...(await stagedItems(gateway, one.vendorId, 40)),
      ...(await stagedItems(gateway, other.vendorId, 40)),
    ];
    const kind = { action: 'apply' } as const;
    const jobs = [
      await startReviewJob(gateway, first, kind, items),
      await startReviewJob(gateway, second, kind, items.toReversed()),
    ];
    const third = items.filter((_item, index) => index % 3 === 0);
    const [statuses] = await Promise.all([
      decideSingly(gateway, first, third),
      // Two workers run each job: one of them has lost its activity and does not know it.
      ...[...jobs, ...jobs].map((jobId) => runReviewJob(gateway, jobId, 10)),
      round % 2 === 0 ? changeAgreement(sql, one.vendorId, percentageOfSale) : null,
    ]);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);

    // Each offer was decided at most once, and each decision has its one result, entry and event.
    const ids = items.map(({ offerId }) => offerId);
    const results = await sql<{ offerId: string; state: string }[]>`
      select offer_id, state from review_job_results where job_id = any(${jobs}::uuid[])`;
    expect(results).toHaveLength(2 * items.length);
    for (const { state } of results) expect(['SUCCESS', 'CONFLICT_VERSION']).toContain(state);
    const decided = results.filter(({ state }) => state === 'SUCCESS');
    expect(new Set(decided.map(({ offerId }) => offerId)).size).toBe(decided.length);
    const decisions = decided.length + statuses.filter((status) => status === 200).length;
    const entries = await sql`
      select count(*)::int as entries, count(distinct subject_id)::int as offers from audit_log
      where action = 'offer.applyPrice' and subject_id = any(${ids}::uuid[])`;
    expect(entries).toEqual([{ entries: decisions, offers: decisions }]);
    const gaps = await sql`
      select (max(sequence) - count(*))::int as gaps from webhook_events
      where vendor_id = ${other.vendorId}`;
    expect(gaps).toEqual([{ gaps: 0 }]);
  }
}, 180_000);

test('runs the items of a batch again after a lock timeout', async ({ gateway }) => {
  const { sql } = gateway;
  const vendor = await newVendor(gateway);
  const reviewer = await newOperator(gateway);
  const items = await stagedItems(gateway, vendor.vendorId, 3);
  const jobId = await startReviewJob(gateway, reviewer, { action: 'discard' }, items);
  const settings = { onUnexpected: () => undefined };
  const release = await holdOffer(sql, items[1]?.offerId ?? '');
  await expect(runReviewBatch(sql, { jobId, limit: 50 }, settings)).rejects.toThrow(/lock/);
  await release();
  const [left] = await sql`
    select count(*)::int as items from review_job_items where job_id = ${jobId}`;
  expect(left).toEqual({ items: 3 });
  const batch = await runReviewBatch(sql, { jobId, limit: 50 }, settings);
  expect(batch).toMatchObject({ itemCount: 3, job: { state: 'Finished', doneCount: 3 } });
});

const net = (cost: number) => ({ cost, costIsVatInclusive: false });

async function approvedOffers(gateway: Gateway, count: number) {
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  const variantId = (await newVariant(gateway)).id;
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: count });
  const read = () => Promise.all(offers.map(({ id }) => findOffer(gateway.sql, vendorId, id)));
  return { vendor, ids: offers.map(({ id }) => id), read };
}

test('raises the version of each offer for each push', async ({ gateway }) => {
  const { vendor, ids, read } = await approvedOffers(gateway, 30);
  const { token } = vendor;
  const items = (cost: number) => ids.map((offerId) => ({ offerId, ...net(cost) }));
  const jobs = jobsOf(gateway, vendor);
  const started = [
    await jobs.start('pushCosts', items(201)),
    await jobs.start('pushCosts', items(202)),
  ];
  await Promise.all([
    ...started.map((id) => jobs.run(id)),
    ...ids.map((id) =>
      call(gateway, 'PATCH', `/api/v1/scent/offers/${id}/cost`, { token, body: net(203) }),
    ),
  ]);
  for (const offer of await read()) {
    expect(offer?.version).toBe(3 + 3);
    expect(offer?.pendingCost?.netHalalas).toBeOneOf([20_100, 20_200, 20_300]);
  }
});

test('judges an item before or after a switch of agreement', async ({ gateway }) => {
  const { vendor, ids, read } = await approvedOffers(gateway, 100);
  const items = ids.map((offerId) => ({ offerId, ...net(222) }));
  const [{ results }] = await Promise.all([
    jobsOf(gateway, vendor).toEnd('pushCosts', items),
    changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale),
  ]);
  for (const { state } of results)
    expect(['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', 'SUCCESS']).toContain(state);
  const repriced = { status: 'PendingRepricing', pendingCost: null, cost: { netHalalas: 10_000 } };
  for (const offer of await read()) expect(offer).toMatchObject(repriced);
});

test('writes messages of a job with low priority', async ({ gateway }) => {
  const { vendor, offerIn } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: barcodes.first });
  await gateway.sql`delete from outbox`;
  await jobsOf(gateway, vendor).toEnd('pushCosts', [{ offerId: id, ...net(77) }]);
  const rows = await gateway.sql`
    select kind, is_low_priority from outbox where subject_id = ${id}`;
  expect(rows).toEqual([{ kind: 'offerReview', isLowPriority: true }]);
});
