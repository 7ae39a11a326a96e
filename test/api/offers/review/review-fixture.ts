import {
  costPlus,
  freeFormOffer,
  newOperator,
  newVendor,
  percentageOfSale,
  type TestVendor,
} from '../../../support/api/actors.ts';
import { call, itemsOf, textOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { bodyOfDecision } from '../../../support/api/review-version.ts';
import { approvedOffer, newParties, succeeded } from '../offer-record.ts';

/** A reviewer, and a vendor with offers. */
async function newDesk(gateway: Gateway) {
  const reviewer = await newOperator(gateway, ['Reviewer']);
  const vendor = await newVendor(gateway);
  const own = '/api/v1/scent/offers';
  /** A read by the reviewer below `/operator/v1`. */
  const get = (path: string): Promise<Answer> =>
    call(gateway, 'GET', `/operator/v1${path}`, reviewer);
  /** The queue of all vendors. */
  const readQueue = (filters: Readonly<Record<string, string>>) =>
    get(`/offers?${String(new URLSearchParams(filters))}`);
  return {
    ...gateway,
    reviewer,
    vendor,
    get,
    readQueue,
    /** Creates an offer of the vendor, or of another one, and returns its id. */
    submit: async (given: Readonly<Record<string, unknown>> = {}, by: TestVendor = vendor) => {
      const body = { ...freeFormOffer, ...given };
      return textOf(await call(gateway, 'POST', own, { token: by.token, body }), 'id');
    },
    /** An update of an offer by its vendor. */
    edit: (id: string, body: Readonly<Record<string, unknown>>) =>
      call(gateway, 'PATCH', `${own}/${id}`, { token: vendor.token, body }),
    /** A decision that must succeed, without `expectedVersion` on the present version. */
    decide: async (id: string, action: string, body: Readonly<Record<string, unknown>> = {}) => {
      const { token } = reviewer;
      const url = `/operator/v1/offers/${id}/${action}`;
      const sent = await bodyOfDecision(gateway, token, url, body);
      return succeeded(await call(gateway, 'POST', url, { token, body: sent }));
    },
    read: async (id: string) => (await get(`/offers/${id}`)).payload,
    /** The ids of the vendor's offers in the queue. */
    idsBy: async (filters: Readonly<Record<string, string>>) =>
      itemsOf(await readQueue({ vendorId: vendor.vendorId, ...filters })).map(({ id }) =>
        String(id),
      ),
  };
}

export const reviewTest = gatewayTest.extend('desk', ({ gateway }) => newDesk(gateway));

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
