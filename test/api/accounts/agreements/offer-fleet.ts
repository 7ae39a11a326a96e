import { createAgreementActivities } from '../../../../activities/agreement-switch.ts';
import type { Sql } from '../../../../db/core/client.ts';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { costPlus, percentageOfSale } from '../../support/actors.ts';
import type { Gateway } from '../../support/api.ts';
import {
  approvedOffer,
  castOf,
  submitOffer,
  succeeded,
  type Cast,
} from '../../offers/offer-record.ts';

/** A vendor with an offer of every kind that an agreement switch may meet, all made by the routes. */

export const otherModel: Readonly<Record<PricingModel, PricingModel>> = {
  CostPlusMargin: 'PercentageOfSale',
  PercentageOfSale: 'CostPlusMargin',
};
const agreements = { CostPlusMargin: costPlus, PercentageOfSale: percentageOfSale };

/** The price field of a model, as a body has it. */
export const priceBody = (
  model: PricingModel,
  amount: number,
): Readonly<Record<string, unknown>> =>
  model === 'CostPlusMargin'
    ? { cost: amount, costIsVatInclusive: false }
    : { salePrice: amount, salePriceIsVatInclusive: false };

/** With the percentage that fleets start from, unless another is given. */
export const agreementBody = (
  model: PricingModel,
  percent = agreements[model].rateBasisPoints / 100,
): Readonly<Record<string, unknown>> =>
  model === 'CostPlusMargin'
    ? { pricingModel: model, markupPercent: percent }
    : { pricingModel: model, commissionPercent: percent };

export const changeAgreement = (cast: Cast, model: PricingModel, percent?: number) =>
  cast.by(
    'Admin',
    'PATCH',
    `/vendors/${cast.vendor.vendorId}/agreement`,
    agreementBody(model, percent),
  );

/** One batch of what a switch's workflow does. */
export const followOnce = (sql: Sql, vendorId: string, limit = 500) =>
  createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit });

/** Everything that it does; answers the batches. */
export async function followAll(sql: Sql, vendorId: string, limit = 500) {
  const batches = [await followOnce(sql, vendorId, limit)];
  while (batches.at(-1)?.isSettled !== true) batches.push(await followOnce(sql, vendorId, limit));
  return batches;
}

type Make = (cast: Cast, kind: string, model: PricingModel) => Promise<string>;

const price = (model: PricingModel, amount: number) => ({
  cost: 100,
  costIsVatInclusive: false,
  ...priceBody(model, amount),
});
const submit =
  (given: Readonly<Record<string, unknown>> = {}): Make =>
  (cast, kind, model) =>
    submitOffer(cast, {
      ...price(model, 100),
      vendorExternalId: kind,
      declaredStockQuantity: 3,
      ...given,
    });
const approved: Make = (cast, kind, model) =>
  approvedOffer(cast, { ...price(model, 100), vendorExternalId: kind, declaredStockQuantity: 3 });

const then =
  (
    make: Make,
    ...steps: readonly ((cast: Cast, id: string, model: PricingModel) => Promise<unknown>)[]
  ): Make =>
  async (cast, kind, model) => {
    const id = await make(cast, kind, model);
    for (const step of steps) await step(cast, id, model);
    return id;
  };
const edit = async (cast: Cast, id: string) =>
  succeeded(await cast.byVendor('PATCH', `/${id}`, { vendorSku: 'EDITED' }));
const stage = async (cast: Cast, id: string, model: PricingModel) =>
  succeeded(await cast.byVendor('PATCH', `/${id}`, priceBody(model, 120)));
const reject = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
const suspend = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' }));
const withdraw = async (cast: Cast, id: string) =>
  succeeded(await cast.byVendor('POST', `/${id}/withdraw`));

const kinds = {
  draft: submit({ saveAsDraft: true }),
  unmatched: submit({ variantId: null }),
  inFirstReview: submit(),
  inReviewAgain: then(approved, edit),
  inReviewAgainWithStagedPrice: then(approved, edit, stage),
  approved,
  approvedWithStagedPrice: then(approved, stage),
  rejected: then(submit(), reject),
  rejectedUnmatched: then(submit({ variantId: null }), reject),
  rejectedWithStagedPrice: then(approved, edit, stage, reject),
  withdrawn: then(approved, withdraw),
  withdrawnUnmatched: then(submit({ variantId: null }), withdraw),
  suspended: then(approved, suspend),
  suspendedWithStagedPrice: then(approved, stage, suspend),
} as const satisfies Readonly<Record<string, Make>>;

export type OfferKind = keyof typeof kinds | 'repricing';

/** What a switch of the model makes of each. */
export const statusAfterSwitch: Readonly<Record<OfferKind, string>> = {
  draft: 'Draft',
  unmatched: 'PendingMatch',
  inFirstReview: 'PendingRepricing',
  inReviewAgain: 'PendingRepricing',
  inReviewAgainWithStagedPrice: 'PendingRepricing',
  approved: 'PendingRepricing',
  approvedWithStagedPrice: 'PendingRepricing',
  rejected: 'Rejected',
  rejectedUnmatched: 'Rejected',
  rejectedWithStagedPrice: 'Rejected',
  withdrawn: 'Withdrawn',
  withdrawnUnmatched: 'Withdrawn',
  suspended: 'Suspended',
  suspendedWithStagedPrice: 'Suspended',
  repricing: 'PendingRepricing',
};
/** Those that it moves. */
export const movedKinds: readonly OfferKind[] = [
  'inFirstReview',
  'inReviewAgain',
  'inReviewAgainWithStagedPrice',
  'approved',
  'approvedWithStagedPrice',
];
export const offerKinds = Object.keys(statusAfterSwitch) as readonly OfferKind[];

export type Fleet = {
  readonly cast: Cast;
  readonly vendorId: string;
  readonly model: PricingModel;
  readonly idOf: Readonly<Record<OfferKind, string>>;
};

/** A fleet under a model; one of its offers has already lived through a switch to it. Every key is the offer's kind. */
export async function newFleet(gateway: Gateway, model: PricingModel): Promise<Fleet> {
  const cast = await castOf(gateway, agreements[otherModel[model]]);
  const { vendorId } = cast.vendor;
  const repricing = await approved(cast, 'repricing', otherModel[model]);
  succeeded(await changeAgreement(cast, model));
  await followAll(gateway.sql, vendorId);
  const made = await Promise.all(
    Object.entries(kinds).map(
      async ([kind, make]) => [kind, await make(cast, kind, model)] as const,
    ),
  );
  const idOf = { ...Object.fromEntries(made), repricing } as Record<OfferKind, string>;
  return { cast, vendorId, model, idOf };
}
