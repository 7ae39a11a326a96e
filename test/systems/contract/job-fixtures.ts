import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import { waitFor, type ApiClient } from '../../../scripts/demo/api-client.ts';

const job = v.object({ id: v.string(), state: v.string() });

/**
 * A job of these items that has finished, and one that was cancelled while it waited for a job of
 * `many` items of the same caller.
 */
async function finishAndCancel(
  client: ApiClient,
  path: string,
  kind: object,
  [items, many]: readonly [items: readonly object[], many: readonly object[]],
): Promise<readonly [finished: string, cancelled: string]> {
  const start = async (some: readonly object[]): Promise<string> => {
    const options = { body: { ...kind, items: some }, status: 202 };
    return (await client.expect(`POST ${path}`, withId, options)).id;
  };
  const finished = await start(items);
  await waitFor(
    () => client.expect(`GET ${path}/${finished}`, job),
    ({ state }) => state === 'Finished',
  );
  await start(many);
  const cancelled = await start(items);
  await client.expect(`POST ${path}/${cancelled}/cancel`, job);
  return [finished, cancelled];
}

/** Jobs of a vendor: one that has finished, which calls can revert, and a cancelled one. */
export async function createJobs(vendor: ApiClient, offerIds: readonly string[]) {
  const stock = { declaredInStock: true };
  const [finished, cancelled] = await finishAndCancel(
    vendor,
    '/api/v1/scent/jobs',
    { kind: 'pushStocks' },
    [
      offerIds.map((offerId) => ({ offerId, ...stock })),
      Array.from({ length: 2000 }, (_, index) => ({ vendorExternalId: `${index}`, ...stock })),
    ],
  );
  return { finished, cancelled };
}

/** The same for review jobs: nothing is staged, so each item fails. */
export async function createReviewJobs(operator: ApiClient, offerIds: readonly string[]) {
  const [reviewed, reviewCancelled] = await finishAndCancel(
    operator,
    '/operator/v1/review-jobs',
    { action: 'discard' },
    [
      offerIds.map((offerId) => ({ offerId })),
      Array.from({ length: 5000 }, () => ({ offerId: crypto.randomUUID() })),
    ],
  );
  return { reviewed, reviewCancelled };
}
