import { createAgreementActivities } from '../../../../activities/agreement-switch.ts';
import type { Sql } from '../../../../db/core/client.ts';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { costPlus, percentageOfSale } from '../../../support/api/actors.ts';
import type { Gateway } from '../../../support/api/api.ts';
import {
  approvedOffer,
  newParties,
  submitOffer,
  succeeded,
  type Parties,
} from '../../offers/offer-record.ts';

/**
 * A vendor with an offer of every kind that an agreement switch may meet, all made by the routes.
 */

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

/** With the percentage that offer sets start from, unless another is given. */
export const agreementBody = (
  model: PricingModel,
  percent = agreements[model].rateBasisPoints / 100,
): Readonly<Record<string, unknown>> =>
  model === 'CostPlusMargin'
    ? { pricingModel: model, markupPercent: percent }
    : { pricingModel: model, commissionPercent: percent };

export const changeAgreement = (parties: Parties, model: PricingModel, percent?: number) =>
  parties.by(
    'Admin',
    'PATCH',
    `/vendors/${parties.vendor.vendorId}/agreement`,
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

type Make = (parties: Parties, kind: string, model: PricingModel) => Promise<string>;

const price = (model: PricingModel, amount: number) => ({
  cost: 100,
  costIsVatInclusive: false,
  ...priceBody(model, amount),
});
const submit =
  (given: Readonly<Record<string, unknown>> = {}): Make =>
  (parties, kind, model) =>
    submitOffer(parties, {
      ...price(model, 100),
      vendorExternalId: kind,
      declaredStockQuantity: 3,
      ...given,
    });
const approved: Make = (parties, kind, model) =>
  approvedOffer(parties, {
    ...price(model, 100),
    vendorExternalId: kind,
    declaredStockQuantity: 3,
  });

const then =
  (
    make: Make,
    ...steps: readonly ((parties: Parties, id: string, model: PricingModel) => Promise<unknown>)[]
  ): Make =>
  async (parties, kind, model) => {
    const id = await make(parties, kind, model);
    for (const step of steps) await step(parties, id, model);
    return id;
  };
const edit = async (parties: Parties, id: string) =>
  succeeded(await parties.byVendor('PATCH', `/${id}`, { vendorSku: 'EDITED' }));
const stagePrice = async (parties: Parties, id: string, model: PricingModel) =>
  succeeded(await parties.byVendor('PATCH', `/${id}`, priceBody(model, 120)));
const reject = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
const suspend = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' }));
const withdraw = async (parties: Parties, id: string) =>
  succeeded(await parties.byVendor('POST', `/${id}/withdraw`));

const kinds = {
  draft: submit({ saveAsDraft: true }),
  unmatched: submit({ variantId: null }),
  inFirstReview: submit(),
  inReviewAgain: then(approved, edit),
  inReviewAgainWithStagedPrice: then(approved, edit, stagePrice),
  approved,
  approvedWithStagedPrice: then(approved, stagePrice),
  rejected: then(submit(), reject),
  rejectedUnmatched: then(submit({ variantId: null }), reject),
  rejectedWithStagedPrice: then(approved, edit, stagePrice, reject),
  withdrawn: then(approved, withdraw),
  withdrawnUnmatched: then(submit({ variantId: null }), withdraw),
  suspended: then(approved, suspend),
  suspendedWithStagedPrice: then(approved, stagePrice, suspend),
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

export type OfferSet = {
  readonly parties: Parties;
  readonly vendorId: string;
  readonly model: PricingModel;
  readonly idOf: Readonly<Record<OfferKind, string>>;
};

/**
 * A offerSet under a model; one of its offers has already lived through a switch to it. Every key
 * is the offer's kind.
 */
export async function newOfferSet(gateway: Gateway, model: PricingModel): Promise<OfferSet> {
  const parties = await newParties(gateway, agreements[otherModel[model]]);
  const { vendorId } = parties.vendor;
  const repricing = await approved(parties, 'repricing', otherModel[model]);
  succeeded(await changeAgreement(parties, model));
  await followAll(gateway.sql, vendorId);
  const made = await Promise.all(
    Object.entries(kinds).map(
      async ([kind, make]) => [kind, await make(parties, kind, model)] as const,
    ),
  );
  const idOf = { ...Object.fromEntries(made), repricing } as Record<OfferKind, string>;
  return { parties, vendorId, model, idOf };
}
