import * as v from 'valibot';
import type { VendorContext } from './clients.ts';
import { createBySteps, type Step } from './steps.ts';

const barcode = '4006381333931';
const path = '/api/v1/scent/offers';
const cost = { cost: 10, costIsVatInclusive: false };
const salePrice = { salePrice: 20, salePriceIsVatInclusive: false };
const push = (field: string, body: object): Step => [
  'vendor',
  `PATCH ${path}/ID/${field}`,
  { body },
];
const decide = (action: string, body: object): Step => [
  'operator',
  `POST /operator/v1/offers/ID/${action}`,
  { body },
];
/** The version is 1 until the vendor's agreement switches, and then 2. */
export const approve = (expectedVersion: number): Step => decide('approve', { expectedVersion });
const reject = decide('reject', { reason: 'A reason.' });
const suspend = decide('suspend', { reason: 'A reason.' });
const withdraw: Step = ['vendor', `POST ${path}/ID/withdraw`];

/** What a vendor declares under an agreement, and the push that stages another price. */
const prices = {
  CostPlusMargin: { declared: cost, stage: push('cost', { ...cost, cost: 11 }) },
  PercentageOfSale: {
    declared: { ...cost, ...salePrice },
    stage: push('sale-price', { ...salePrice, salePrice: 21 }),
  },
} as const;
export type Model = keyof typeof prices;
type Recipe = readonly [fields: object, ...steps: readonly Step[]];

/** The fields that each offer is submitted with, and the steps to its status. */
const recipesOf = (matched: object, stage: Step) =>
  ({
    draft: [{ barcode, saveAsDraft: true }],
    unmatched: [{}],
    inReview: [matched],
    live: [matched, approve(2)],
    staged: [matched, approve(2), stage],
    rejected: [{ barcode }, reject],
    withoutBarcode: [{}, reject],
    withdrawn: [matched, withdraw],
    suspended: [matched, approve(2), suspend],
  }) as const satisfies Readonly<Record<string, Recipe>>;
type Name = keyof ReturnType<typeof recipesOf>;

/**
 * Creates offers in every status. Those that are live at the switch of the agreement need another
 * price.
 */
export async function createOffers(
  context: VendorContext,
  { from, to, copies }: { readonly from: Model; readonly to: Model; readonly copies: number },
) {
  const create = async (model: Model, [fields, ...steps]: Recipe) => {
    const raw = { rawBrandName: 'Maison', rawProductName: 'Oud', declaredInStock: true };
    const body = { ...raw, ...prices[model].declared, ...fields };
    const ids: string[] = [];
    while (ids.length < copies)
      ids.push(await createBySteps(context, ['vendor', `POST ${path}`, { body }], steps));
    return ids;
  };
  const matched = { barcode, variantId: context.variantId };
  const repriced = await create(from, [matched, approve(1)]);
  const percent = to === 'CostPlusMargin' ? { markupPercent: 25 } : { commissionPercent: 10 };
  const agreement = `/operator/v1/vendors/${context.vendorId}/agreement`;
  const body = { pricingModel: to, ...percent };
  await context.operator.expect(`PATCH ${agreement}`, v.unknown(), { body });
  const created: [string, readonly string[]][] = [];
  for (const [name, recipe] of Object.entries(recipesOf(matched, prices[to].stage)))
    created.push([name, await create(to, recipe)]);
  return { repriced, ...(Object.fromEntries(created) as Record<Name, readonly string[]>) };
}
