import { costPlus, percentageOfSale } from '../../support/actors.ts';
import { type OfferFixture } from '../offer-fixture.ts';

/**
 * Both pushes are one pipeline, each for its own model. Both models' offers start at a live price
 * of 100 net.
 */
export const pushes = [
  {
    name: 'the cost push',
    path: 'cost',
    agreement: costPlus,
    declared: { cost: 100, costIsVatInclusive: false },
    body: (amount: unknown, isGross: unknown = false) => ({
      cost: amount,
      costIsVatInclusive: isGross,
    }),
    fields: ['Cost', 'CostIsVatInclusive'],
    /** Where the nested form has the price, and what it calls the VAT. */
    at: 'cost',
    vat: 'inputVat',
  },
  {
    name: 'the sale-price push',
    path: 'sale-price',
    agreement: percentageOfSale,
    declared: { salePrice: 100, salePriceIsVatInclusive: false },
    body: (amount: unknown, isGross: unknown = false) => ({
      salePrice: amount,
      salePriceIsVatInclusive: isGross,
    }),
    fields: ['SalePrice', 'SalePriceIsVatInclusive'],
    at: 'price',
    vat: 'vat',
  },
] as const;

export type Push = (typeof pushes)[number];

export const send = (
  { send }: OfferFixture,
  { path }: Pick<Push, 'path'>,
  id: string,
  body: unknown,
) => send('PATCH', `/${id}/${path}`, body);

/** The offer's price as the nested form of the push shows it. */
export const priceForm = (
  { vat }: Push,
  amount: number,
  vatAmount: number,
  pending: readonly [number, number] | null = null,
  enteredVatInclusive = false,
) => ({
  amount,
  isVatInclusive: false,
  enteredVatInclusive,
  [vat]: vatAmount,
  pending: pending === null ? null : { amount: pending[0], [vat]: pending[1] },
});
