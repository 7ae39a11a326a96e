import { costPlus, percentageOfSale } from '../../support/actors.ts';
import { type Gateway } from '../../support/api.ts';
import { approvedOffer, newParties, eventsOf, succeeded, type Parties } from '../offer-record.ts';

export type Action = 'apply' | 'discard';

export const actions: readonly Action[] = ['apply', 'discard'];

export const decide = (parties: Parties, id: string, action: Action, body?: unknown) =>
  parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/${action}`, body);

export const read = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;

export const decisionsOf = async (gateway: Gateway, id: string) =>
  (await eventsOf(gateway.sql, id)).map(({ decision, status, reason }) => ({
    decision,
    status,
    reason,
  }));

/**
 * The same story under both agreements: live at net 100 with 20 % markup, or 15 % commission; 1,000
 * gross is staged (D17).
 */
export const models = [
  {
    agreement: costPlus,
    given: {},
    push: ['cost', { cost: 1000, costIsVatInclusive: true }],
    form: (amount: number, vat: number, enteredVatInclusive: boolean, pending: unknown) => ({
      cost: { amount, inputVat: vat, isVatInclusive: false, enteredVatInclusive, pending },
      price: {
        amount: null,
        vat: null,
        isVatInclusive: false,
        enteredVatInclusive: null,
        pending: null,
      },
    }),
    pending: { amount: 869.57, inputVat: 130.43 },
    supplyBefore: { netPrice: 100, sellPrice: 120, payoutPrice: 100 },
    // 20 % of 86,957 halalas is 17,391.4.
    supplyAfter: { netPrice: 869.57, sellPrice: 1043.48, payoutPrice: 869.57 },
  },
  {
    agreement: percentageOfSale,
    given: { salePrice: 100, salePriceIsVatInclusive: false },
    push: ['sale-price', { salePrice: 1000, salePriceIsVatInclusive: true }],
    form: (amount: number, vat: number, enteredVatInclusive: boolean, pending: unknown) => ({
      cost: {
        amount: 100,
        inputVat: 15,
        isVatInclusive: false,
        enteredVatInclusive: false,
        pending: null,
      },
      price: { amount, vat, isVatInclusive: false, enteredVatInclusive, pending },
    }),
    pending: { amount: 869.57, vat: 130.43 },
    supplyBefore: { netPrice: 100, sellPrice: 100, payoutPrice: 85 },
    // 15 % of 86,957 halalas is 13,043.55, which rounds up.
    supplyAfter: { netPrice: 869.57, sellPrice: 869.57, payoutPrice: 739.13 },
  },
] as const;

export async function stagedOffer(
  gateway: Gateway,
  { agreement, given, push }: (typeof models)[number],
) {
  const parties = await newParties(gateway, agreement);
  const id = await approvedOffer(parties, { ...given, declaredStockQuantity: 3 });
  const [route, body] = push;
  succeeded(await parties.byVendor('PATCH', `/${id}/${route}`, body));
  return { parties, id };
}

export const [costPlusModel, percentageModel] = models;
