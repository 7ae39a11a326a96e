import { succeeded } from '../../../support/api/api.ts';
import { createAgreementActivities } from '../../../../activities/agreement-switch.ts';
import type { Sql } from '../../../../db/core/client.ts';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { costPlus, percentageOfSale } from '../../../support/api/actors.ts';
import type { ApiResponse, Gateway } from '../../../support/api/api.ts';
import { approvedOffer, newParties, submitOffer, type Parties } from '../../offers/offer-record.ts';

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

/** A call of the route that changes a vendor's agreement. */
export const put = (
  parties: Parties,
  body: unknown,
  { vendorId = parties.vendor.vendorId, query = '' } = {},
) => parties.by('Admin', 'PATCH', `/vendors/${vendorId}/agreement${query}`, body);

export const changeAgreement = (parties: Parties, model: PricingModel, percent?: number) =>
  put(parties, agreementBody(model, percent));

/** One batch of what a switch's workflow does. */
export const followOnce = (sql: Sql, vendorId: string, limit = 500) =>
  createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit });

/** Everything that it does; returns how many offers its batches stored. */
export async function followAll(sql: Sql, vendorId: string): Promise<number> {
  const { offers, isSettled } = await followOnce(sql, vendorId);
  return isSettled ? offers : offers + (await followAll(sql, vendorId));
}

type Make = (parties: Parties, kind: string, model: PricingModel) => Promise<string>;
type Step = (parties: Parties, id: string, model: PricingModel) => Promise<ApiResponse>;

const declared = (kind: string, model: PricingModel) => ({
  cost: 100,
  costIsVatInclusive: false,
  ...priceBody(model, 100),
  vendorExternalId: kind,
  declaredStockQuantity: 3,
});
const submitted =
  (given: Readonly<Record<string, unknown>> = {}): Make =>
  (parties, kind, model) =>
    submitOffer(parties, { ...declared(kind, model), ...given });
const approved: Make = (parties, kind, model) => approvedOffer(parties, declared(kind, model));

const then =
  (make: Make, ...steps: readonly Step[]): Make =>
  async (parties, kind, model) => {
    const id = await make(parties, kind, model);
    for (const step of steps) succeeded(await step(parties, id, model));
    return id;
  };
const edit: Step = ({ byVendor }, id) => byVendor('PATCH', `/${id}`, { vendorSku: 'EDITED' });
const stagePrice: Step = ({ byVendor }, id, model) =>
  byVendor('PATCH', `/${id}`, priceBody(model, 120));
const reject: Step = ({ by }, id) =>
  by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' });
const suspend: Step = ({ by }, id) =>
  by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' });
const withdraw: Step = ({ byVendor }, id) => byVendor('POST', `/${id}/withdraw`);

/** How an offer of each kind is made, and its status after a switch of the model. */
const kinds = {
  draft: [submitted({ saveAsDraft: true }), 'Draft'],
  unmatched: [submitted({ variantId: null }), 'PendingMatch'],
  inFirstReview: [submitted(), 'PendingRepricing'],
  inReviewAgain: [then(approved, edit), 'PendingRepricing'],
  inReviewAgainWithStagedPrice: [then(approved, edit, stagePrice), 'PendingRepricing'],
  approved: [approved, 'PendingRepricing'],
  approvedWithStagedPrice: [then(approved, stagePrice), 'PendingRepricing'],
  rejected: [then(submitted(), reject), 'Rejected'],
  rejectedUnmatched: [then(submitted({ variantId: null }), reject), 'Rejected'],
  rejectedWithStagedPrice: [then(approved, edit, stagePrice, reject), 'Rejected'],
  withdrawn: [then(approved, withdraw), 'Withdrawn'],
  withdrawnUnmatched: [then(submitted({ variantId: null }), withdraw), 'Withdrawn'],
  suspended: [then(approved, suspend), 'Suspended'],
  suspendedWithStagedPrice: [then(approved, stagePrice, suspend), 'Suspended'],
} as const satisfies Readonly<Record<string, readonly [Make, string]>>;

export type OfferKind = keyof typeof kinds | 'repricing';

export const statusAfterSwitch = (kind: OfferKind): string =>
  kind === 'repricing' ? 'PendingRepricing' : kinds[kind][1];
export const offerKinds = [...Object.keys(kinds), 'repricing'] as readonly OfferKind[];
/** Those that a switch of the model moves. */
export const movedKinds = offerKinds.filter(
  (kind) => kind !== 'repricing' && statusAfterSwitch(kind) === 'PendingRepricing',
);

export type OfferSet = {
  readonly parties: Parties;
  readonly vendorId: string;
  readonly model: PricingModel;
  readonly idOf: Readonly<Record<OfferKind, string>>;
};

/**
 * An offer set under a model. The offer `repricing` has already lived through a switch to it. Every
 * key is the offer's kind.
 */
export async function newOfferSet(gateway: Gateway, model: PricingModel): Promise<OfferSet> {
  const parties = await newParties(gateway, agreements[otherModel[model]]);
  const { vendorId } = parties.vendor;
  const repricing = await approved(parties, 'repricing', otherModel[model]);
  succeeded(await changeAgreement(parties, model));
  await followAll(gateway.sql, vendorId);
  const made = await Promise.all(
    Object.entries(kinds).map(async ([kind, [make]]) => [kind, await make(parties, kind, model)]),
  );
  const idOf = { ...Object.fromEntries(made), repricing } as Record<OfferKind, string>;
  return { parties, vendorId, model, idOf };
}
