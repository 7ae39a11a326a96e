import * as v from 'valibot';
import { withId } from '../../demo/api-calls.ts';
import { waitFor } from '../../demo/api-client.ts';
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
