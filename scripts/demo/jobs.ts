import {
  jobResponse,
  jobResultResponse,
  operatorJobResponse,
} from '../../api/jobs/responses/job.ts';
import { nestedOfferResponse } from '../../api/offers/responses/nested-offer.ts';
import { pageOf } from '../../api/http/envelope.ts';
import { expect, expectValues, waitFor } from './api-client.ts';
import type { DemoContext } from './context.ts';

const path = '/api/v1/scent/jobs';
const resultPage = pageOf(jobResultResponse);

/**
 * The vendor creates offers and changes their prices by bulk jobs, changes one price again, and
 * reverts the job. Returns the URL of the price job's history.
 */
export async function runBulkJobs(context: DemoContext): Promise<string> {
  const offerIds = await createByJob(context);
  const priceJobId = await pushPrices(context, offerIds);
  await revertPrices(context, priceJobId, offerIds);
  const page = await context.operator.expect(
    `GET /operator/v1/jobs?vendorId=${context.vendorId}&kind=pushSalePrices`,
    pageOf(operatorJobResponse),
  );
  const job = page.items.find(({ id }) => id === priceJobId);
  return job?.workflow.url ?? '';
}

async function createByJob(context: DemoContext): Promise<readonly string[]> {
  const { vendor, step, suffix, variantId } = context;
  step('The vendor creates offers by a bulk job from a CSV file; one row has no product');
  const rows = [
    'vendorExternalId,variantId,cost,costIsVatInclusive,salePrice,salePriceIsVatInclusive',
    ...[1, 2, 3].map((number) => `job-${number}-${suffix},${variantId},0,false,115.00,true`),
    `job-4-${suffix},,0,false,115.00,true`,
  ];
  const { id } = await vendor.expect(`POST ${path}?kind=createOffers`, jobResponse, {
    file: { type: 'text/csv', text: `${rows.join('\n')}\n` },
    status: 202,
    values: { kind: 'createOffers', counts: { accepted: 4 } },
  });
  await waitForEnd(context, id, { done: 3, failed: 1, remaining: 0 });

  step('The vendor reads the result of each item: the row without a product failed alone');
  const results = await readResults(context, id);
  expect(results.map(({ httpStatus }) => httpStatus).join() === '201,201,201,400', 'four results');
  return results.flatMap(({ offerId }) => offerId ?? []);
}

async function pushPrices(context: DemoContext, offerIds: readonly string[]): Promise<string> {
  const { vendor, step } = context;
  step('A second job changes the sale price of the three offers');
  const items = offerIds.map((offerId) => {
    return { offerId, salePrice: 230, salePriceIsVatInclusive: true };
  });
  const { id } = await vendor.expect(`POST ${path}`, jobResponse, {
    body: { kind: 'pushSalePrices', items },
    status: 202,
  });
  await waitForEnd(context, id, { done: 3, failed: 0, remaining: 0 });
  return id;
}

async function revertPrices(
  context: DemoContext,
  jobId: string,
  offerIds: readonly string[],
): Promise<void> {
  const { vendor, step } = context;
  const [changed = '', restored = ''] = offerIds;
  step('The vendor changes one of these prices again, and reverts the job');
  await vendor.expect(`PATCH /api/v1/scent/offers/${changed}/sale-price`, nestedOfferResponse, {
    body: { salePrice: 345, salePriceIsVatInclusive: true },
  });
  const { id } = await vendor.expect(`POST ${path}/${jobId}/revert`, jobResponse, {
    status: 202,
    values: { revertsJobId: jobId },
  });
  await waitForEnd(context, id, { done: 2, failed: 1, remaining: 0 });

  step('Two prices are what they were; the one that changed since stays, and the report says so');
  const [first, ...others] = await readResults(context, id);
  expect(first?.state === 'CONFLICT_VERSION', 'the first item is CONFLICT_VERSION');
  expect(
    others.every(({ state }) => state === 'SUCCESS'),
    'the others are restored',
  );
  const amounts = [];
  for (const offerId of [changed, restored])
    amounts.push(await readSalePrice(context, `/api/v1/scent/offers/${offerId}`));
  expect(amounts.join(', ') === '300, 100', 'the net prices are 300.00 and 100.00');
}

async function readSalePrice({ vendor }: DemoContext, offer: string): Promise<number | null> {
  const { price } = await vendor.expect(`GET ${offer}`, nestedOfferResponse);
  return price.pending?.amount ?? price.amount;
}

const readResults = async ({ vendor }: DemoContext, id: string) =>
  (await vendor.expect(`GET ${path}/${id}/results`, resultPage)).items;

async function waitForEnd(
  { vendor }: DemoContext,
  id: string,
  counts: Readonly<Record<'done' | 'failed' | 'remaining', number>>,
): Promise<void> {
  const read = () => vendor.expect(`GET ${path}/${id}`, jobResponse);
  const job = await waitFor(read, ({ endedAt }) => endedAt !== null);
  expectValues(job.counts, counts, 'the end of the job');
}
