import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import type { VendorContext } from './clients.ts';

const barcode = '4006381333931';
const withReviewVersion = v.object({ reviewVersion: v.number() });
const cost = { cost: 10, costIsVatInclusive: false };
const salePrice = { salePrice: 20, salePriceIsVatInclusive: false };

/** What a vendor declares under an agreement, and the push that stages another price. */
const prices = {
  CostPlusMargin: { declared: cost, push: 'cost', staged: { ...cost, cost: 11 } },
  PercentageOfSale: {
    declared: { ...cost, ...salePrice },
    push: 'sale-price',
    staged: { ...salePrice, salePrice: 21 },
  },
} as const;
type Model = keyof typeof prices;
type Step = 'approve' | 'reject' | 'suspend' | 'withdraw' | 'price';
type Recipe = readonly [Fields: object, ...steps: readonly Step[]];

const matched = { barcode, isMatched: true };
/** The fields that each offer is submitted with, and the steps to its status. */
const recipes = {
  draft: [{ barcode, saveAsDraft: true }],
  unmatched: [{}],
  inReview: [matched],
  live: [matched, 'approve'],
  staged: [matched, 'approve', 'price'],
  rejected: [{ barcode }, 'reject'],
  withoutBarcode: [{}, 'reject'],
  withdrawn: [matched, 'withdraw'],
  suspended: [matched, 'approve', 'suspend'],
} as const satisfies Readonly<Record<string, Recipe>>;
type Name = keyof typeof recipes;
export type OfferFixtures = Readonly<Record<'repriced' | Name, readonly string[]>>;

/**
 * Creates offers in every status. Those that are live at the switch of the agreement need another
 * price.
 */
export async function createOffers(
  context: VendorContext,
  { from, to, copies }: { readonly from: Model; readonly to: Model; readonly copies: number },
): Promise<OfferFixtures> {
  const create = async (model: Model, recipe: Recipe) => {
    const ids: string[] = [];
    while (ids.length < copies) ids.push(await createOffer(context, model, recipe));
    return ids;
  };
  const repriced = await create(from, recipes.live);
  const percent = to === 'CostPlusMargin' ? { markupPercent: 25 } : { commissionPercent: 10 };
  const agreement = `/operator/v1/vendors/${context.vendorId}/agreement`;
  const body = { pricingModel: to, ...percent };
  await context.operator.expect(`PATCH ${agreement}`, v.unknown(), { body });
  const created: [string, readonly string[]][] = [];
  for (const [name, recipe] of Object.entries(recipes)) {
    created.push([name, await create(to, recipe)]);
  }
  return { repriced, ...(Object.fromEntries(created) as Record<Name, readonly string[]>) };
}

async function createOffer(context: VendorContext, model: Model, [fields, ...steps]: Recipe) {
  const { vendor, operator, variantId } = context;
  const { isMatched, ...rest } = { isMatched: false, ...fields };
  const { declared, push, staged } = prices[model];
  const body = {
    rawBrandName: 'Maison',
    rawProductName: 'Oud',
    declaredInStock: true,
    ...declared,
    ...(isMatched ? { variantId } : {}),
    ...rest,
  };
  const path = '/api/v1/scent/offers';
  const { id } = await vendor.expect(`POST ${path}`, withId, { body, status: 201 });
  for (const step of steps) {
    if (step === 'price') {
      await vendor.expect(`PATCH ${path}/${id}/${push}`, v.unknown(), { body: staged });
    } else if (step === 'withdraw') {
      await vendor.expect(`POST ${path}/${id}/withdraw`, v.unknown());
    } else {
      const offer = `/operator/v1/offers/${id}`;
      const { reviewVersion } = await operator.expect(`GET ${offer}`, withReviewVersion);
      const sent =
        step === 'approve' ? { expectedVersion: reviewVersion } : { reason: 'A reason.' };
      await operator.expect(`POST ${offer}/${step}`, v.unknown(), { body: sent });
    }
  }
  return id;
}
