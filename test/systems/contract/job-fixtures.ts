import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import { waitFor, type ApiClient } from '../../../scripts/demo/api-client.ts';
import type { VendorContext } from './clients.ts';

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

/**
 * Jobs of a vendor and review jobs of the operator: one of each has finished, which calls of the
 * vendor can revert, and one is cancelled. Nothing is staged, so each item of a review job fails.
 */
export async function createJobs({ vendor, operator }: VendorContext, offerIds: readonly string[]) {
  const offers = offerIds.map((offerId) => ({ offerId }));
  const declaredInStock = true;
  const [finished, cancelled] = await finishAndCancel(
    vendor,
    '/api/v1/scent/jobs',
    { kind: 'pushStocks' },
    [
      offers.map((offer) => ({ ...offer, declaredInStock })),
      Array.from({ length: 2000 }, (_, id) => ({ vendorExternalId: `${id}`, declaredInStock })),
    ],
  );
  const unknown = Array.from({ length: 5000 }, () => ({ offerId: crypto.randomUUID() }));
  const [reviewed, reviewCancelled] = await finishAndCancel(
    operator,
    '/operator/v1/review-jobs',
    { action: 'discard' },
    [offers, unknown],
  );
  return { finished, cancelled, reviewed, reviewCancelled };
}
