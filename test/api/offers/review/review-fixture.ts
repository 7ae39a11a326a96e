import {
  costPlus,
  freeFormOffer,
  newOperator,
  newVendor,
  percentageOfSale,
  type TestOperator,
  type TestVendor,
} from '../../../support/api/actors.ts';
import { call, itemsOf, textOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { bodyOfDecision } from '../../../support/api/review-version.ts';
import { approvedOffer, newParties, succeeded } from '../offer-record.ts';

/** A reviewer for the file, and a vendor for each test. */
export const reviewTest = gatewayTest
  .extend('reviewer', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Reviewer']))
  .extend('vendor', ({ gateway }) => newVendor(gateway))
  /** Reads the queue by the reviewer. */
  .extend('readQueue', { scope: 'file' }, ({ gateway, reviewer }) => (query: string) => {
    return call(gateway, 'GET', `/operator/v1/offers?${query}`, reviewer);
  })
  /** The ids of the vendor's offers in the queue. */
  .extend('idsBy', ({ readQueue, vendor }) => async (filters: Record<string, string>) => {
    const query = new URLSearchParams({ vendorId: vendor.vendorId, ...filters }).toString();
    return itemsOf(await readQueue(query)).map(({ id }) => String(id));
  });

/** Creates an offer and returns its id. */
export const submit = async (
  gateway: Gateway,
  { token }: TestVendor,
  given: Record<string, unknown> = {},
) => {
  const body = { ...freeFormOffer, ...given };
  return textOf(await call(gateway, 'POST', '/api/v1/scent/offers', { token, body }), 'id');
};

/** An approval without `expectedVersion` expects the present one. */
export const decide = async (
  gateway: Gateway,
  { token }: TestOperator,
  id: string,
  action: 'approve' | 'reject',
  body?: unknown,
): Promise<Answer> => {
  const url = `/operator/v1/offers/${id}/${action}`;
  const sent = await bodyOfDecision(gateway, token, url, body);
  return call(gateway, 'POST', url, { token, body: sent, headers: { 'x-request-id': 'req-7' } });
};

/** Both models: live at net 100 with 20 % markup, or 15 % commission; 1,000 gross is staged. */
export const models = [
  {
    agreement: costPlus,
    given: {},
    push: ['cost', { cost: 1000, costIsVatInclusive: true }],
    at: 'cost',
    vat: 'inputVat',
    supplyBefore: { netPrice: 100, sellPrice: 120, payoutPrice: 100 },
    // 20 % of 86,957 halalas is 17,391.4.
    supplyAfter: { netPrice: 869.57, sellPrice: 1043.48, payoutPrice: 869.57 },
  },
  {
    agreement: percentageOfSale,
    given: { salePrice: 100, salePriceIsVatInclusive: false },
    push: ['sale-price', { salePrice: 1000, salePriceIsVatInclusive: true }],
    at: 'price',
    vat: 'vat',
    supplyBefore: { netPrice: 100, sellPrice: 100, payoutPrice: 85 },
    // 15 % of 86,957 halalas is 13,043.55, which rounds up.
    supplyAfter: { netPrice: 869.57, sellPrice: 869.57, payoutPrice: 739.13 },
  },
] as const;

export async function stagedOffer(
  gateway: Gateway,
  { agreement, given, push }: (typeof models)[number] = models[0],
) {
  const parties = await newParties(gateway, agreement);
  const id = await approvedOffer(parties, { ...given, declaredStockQuantity: 3 });
  const [route, body] = push;
  succeeded(await parties.byVendor('PATCH', `/${id}/${route}`, body));
  return { parties, id };
}
