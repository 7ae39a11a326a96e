import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import { waitFor, type ApiClient } from '../../../scripts/demo/api-client.ts';
import type { VendorContext } from './clients.ts';

const job = v.object({ id: v.string(), state: v.string() });
const stock = { declaredInStock: true };

/** A job that has finished, which calls can revert, and one that was cancelled while it waited. */
export async function createJobs(
  { vendor }: VendorContext,
  offerIds: readonly string[],
): Promise<{ readonly finished: string; readonly cancelled: string }> {
  const start = async (items: readonly object[]): Promise<string> => {
    const options = { body: { kind: 'pushStocks', items }, status: 202 };
    return (await vendor.expect('POST /api/v1/scent/jobs', withId, options)).id;
  };
  const finished = await start(offerIds.map((offerId) => ({ offerId, ...stock })));
  await waitFor(
    () => vendor.expect(`GET /api/v1/scent/jobs/${finished}`, job),
    ({ state }) => state === 'Finished',
  );
  // The vendor's next job waits for this one.
  await start(
    Array.from({ length: 2000 }, (_, index) => ({ vendorExternalId: `${index}`, ...stock })),
  );
  const cancelled = await start([stock]);
  await vendor.expect(`POST /api/v1/scent/jobs/${cancelled}/cancel`, job);
  return { finished, cancelled };
}

/** The same for review jobs: nothing is staged, so each item fails. */
export async function createReviewJobs(
  operator: ApiClient,
  offerIds: readonly string[],
): Promise<{ readonly reviewed: string; readonly reviewCancelled: string }> {
  const start = async (ids: readonly string[]): Promise<string> => {
    const items = ids.map((offerId) => ({ offerId }));
    const options = { body: { action: 'discard', items }, status: 202 };
    return (await operator.expect('POST /operator/v1/review-jobs', withId, options)).id;
  };
  const reviewed = await start(offerIds);
  await waitFor(
    () => operator.expect(`GET /operator/v1/review-jobs/${reviewed}`, job),
    ({ state }) => state === 'Finished',
  );
  // The operator's next job waits for this one.
  await start(Array.from({ length: 5000 }, () => crypto.randomUUID()));
  const reviewCancelled = await start(offerIds);
  await operator.expect(`POST /operator/v1/review-jobs/${reviewCancelled}/cancel`, job);
  return { reviewed, reviewCancelled };
}
