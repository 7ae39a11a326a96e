import * as v from 'valibot';
import { call, type ApiResponse, type Gateway } from '../../../support/api/api.ts';

/** The result of an item of a bulk call or of a job. */
export const bulkResult = v.object({
  index: v.number(),
  httpStatus: v.number(),
  state: v.string(),
  offerId: v.nullable(v.string()),
  vendorExternalId: v.nullable(v.string()),
  version: v.nullable(v.number()),
  details: v.record(v.string(), v.unknown()),
});
export type BulkResult = v.InferOutput<typeof bulkResult>;

/** One bulk call with any body. */
export const sendBulk = (
  gateway: Pick<Gateway, 'app'>,
  { token }: { readonly token: string },
  body: unknown,
): Promise<ApiResponse> => call(gateway, 'PATCH', '/api/v1/scent/offers/stock', { token, body });

/** The results of a bulk call, which must be 200. */
export async function pushAll(
  gateway: Pick<Gateway, 'app'>,
  vendor: { readonly token: string },
  items: readonly unknown[],
): Promise<readonly BulkResult[]> {
  return resultsOf(await sendBulk(gateway, vendor, { items }));
}

export function resultsOf(response: ApiResponse): readonly BulkResult[] {
  if (response.status !== 200) throw new Error(response.text);
  return v.parse(v.array(bulkResult), response.payload?.['results']);
}

export const inStock = (declaredStockQuantity: number) => ({
  declaredInStock: true,
  declaredStockQuantity,
});
