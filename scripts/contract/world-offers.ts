import * as v from 'valibot';
import { payloadOf } from '../demo/caller.ts';
import { withId } from '../demo/forms.ts';
import type { VendorStage } from './world.ts';

const barcode = '4006381333931';
const cost = { cost: 10, costIsVatInclusive: false };
const salePrice = { salePrice: 20, salePriceIsVatInclusive: false };

/** What a vendor declares under an agreement, and the push that stages another price of it. */
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
type Way = readonly [Fields: object, ...steps: readonly Step[]];

const matched = { barcode, isMatched: true };
/** How offers are submitted, and what is done to each then: they are left where the last step leads. */
const ways = {
  draft: [{ barcode, saveAsDraft: true }],
  unmatched: [{}],
  inReview: [matched],
  live: [matched, 'approve'],
  staged: [matched, 'approve', 'price'],
  rejected: [{ barcode }, 'reject'],
  withoutBarcode: [{}, 'reject'],
  withdrawn: [matched, 'withdraw'],
  suspended: [matched, 'approve', 'suspend'],
} as const satisfies Readonly<Record<string, Way>>;
export type MadeOffers = Readonly<Record<'repriced' | keyof typeof ways, readonly string[]>>;

/** Some offers in every status: those that are live when the agreement is switched wait for another price. */
export async function makeOffers(
  stage: VendorStage,
  { from, to, copies }: { readonly from: Model; readonly to: Model; readonly copies: number },
): Promise<MadeOffers> {
  const repriced = await makeAll(stage, from, copies, ways.live);
  const percent = to === 'CostPlusMargin' ? { markupPercent: 25 } : { commissionPercent: 10 };
  const path = `/operator/v1/vendors/${stage.vendorId}/agreement`;
  done(await stage.asOperator('PATCH', path, { pricingModel: to, ...percent }));
  const makeNow = (way: Way) => makeAll(stage, to, copies, way);
  return {
    repriced,
    draft: await makeNow(ways.draft),
    unmatched: await makeNow(ways.unmatched),
    inReview: await makeNow(ways.inReview),
    live: await makeNow(ways.live),
    staged: await makeNow(ways.staged),
    rejected: await makeNow(ways.rejected),
    withoutBarcode: await makeNow(ways.withoutBarcode),
    withdrawn: await makeNow(ways.withdrawn),
    suspended: await makeNow(ways.suspended),
  };
}

async function makeAll(stage: VendorStage, model: Model, copies: number, way: Way) {
  const ids: string[] = [];
  while (ids.length < copies) ids.push(await make(stage, model, way));
  return ids;
}

async function make(stage: VendorStage, model: Model, [fields, ...steps]: Way) {
  const { isMatched, ...rest } = { isMatched: false, ...fields };
  const body = {
    rawBrandName: 'Maison',
    rawProductName: 'Oud',
    declaredInStock: true,
    ...prices[model].declared,
    ...(isMatched ? { variantId: stage.variantId } : {}),
    ...rest,
  };
  const { id } = payloadOf(await stage.asVendor('POST', '/api/v1/scent/offers', body), 201, withId);
  for (const step of steps) await take(stage, model, id, step);
  return id;
}

async function take({ asVendor, asOperator }: VendorStage, model: Model, id: string, step: Step) {
  const own = `/api/v1/scent/offers/${id}`;
  if (step === 'price') {
    const { push, staged } = prices[model];
    done(await asVendor('PATCH', `${own}/${push}`, staged));
  } else if (step === 'withdraw') {
    done(await asVendor('POST', `${own}/withdraw`));
  } else {
    const body = step === 'approve' ? {} : { reason: 'To be found.' };
    done(await asOperator('POST', `/operator/v1/offers/${id}/${step}`, body));
  }
}

const done = (answer: Parameters<typeof payloadOf>[0]): unknown =>
  payloadOf(answer, 200, v.unknown());
