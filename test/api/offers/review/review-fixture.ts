import {
  costPlus,
  freeFormOffer,
  percentageOfSale,
  type TestVendor,
} from '../../../support/api/actors.ts';
import {
  call,
  succeeded,
  textOf,
  type ApiResponse,
  type Gateway,
} from '../../../support/api/api.ts';
import type { Query } from '../../../support/api/lists.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offer-fixture.ts';
import { approvedOffer, newParties } from '../offer-record.ts';

/** A reviewer, and a vendor with offers. */
async function newDesk(gateway: Gateway) {
  const { vendor, operator: reviewer, patch: edit, decide } = await newOfferFixture(gateway);
  /** A read by the reviewer below `/operator/v1`. */
  const get = (path: string): Promise<ApiResponse> =>
    call(gateway, 'GET', `/operator/v1${path}`, reviewer);
  /** The queue of all vendors. */
  const readQueue = (filters: Query) => get(`/offers?${String(new URLSearchParams(filters))}`);
  return {
    ...gateway,
    reviewer,
    vendor,
    get,
    readQueue,
    edit,
    decide,
    /** Creates an offer of the vendor, or of another one, and returns its id. */
    submit: async (given: object = {}, { token }: TestVendor = vendor) => {
      const body = { ...freeFormOffer, ...given };
      return textOf(await call(gateway, 'POST', '/api/v1/scent/offers', { token, body }), 'id');
    },
    read: async (id: string) => (await get(`/offers/${id}`)).payload,
    /** The vendor's offers in the queue. */
    list: (filters: Query) => readQueue({ vendorId: vendor.vendorId, ...filters }),
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
