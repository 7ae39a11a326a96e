import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import {
  costPlus,
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
  type TestOperator,
  type TestVendor,
} from '../../support/api/actors.ts';
import { call, textOf, type Answer, type Gateway, type Method } from '../../support/api/api.ts';
import { bodyOfDecision } from '../../support/api/review-version.ts';

/** GTINs with right check digits: of three lengths, so that none looks like another. */
export const barcodes = {
  first: '4006381333931',
  second: '96385074',
  third: '036000291452',
} as const;

export type OfferGiven = {
  /**
   * Whether a match is proposed. An offer that is to be approved gets its match then, if it has
   * none.
   */
  readonly isMatched?: boolean;
  /** Null: neither the offer nor the variant has one. */
  readonly barcode?: string | null;
  /** More of create-offer's body. */
  readonly declared?: Readonly<Record<string, unknown>>;
};

/**
 * One vendor, an operator beside it, and the vendor's offers in whatever state a test wants; all of
 * it by the API's own routes.
 */
export type OfferFixture = {
  readonly vendor: TestVendor;
  readonly operator: TestOperator;
  readonly create: (given?: OfferGiven) => Promise<string>;
  /**
   * An offer that came to the status on the shortest way. PendingRepricing switches the vendor's
   * agreement.
   */
  readonly offerIn: (status: OfferStatus, given?: OfferGiven) => Promise<string>;
  /** A vendor's call below `/api/v1/scent/offers`. */
  readonly send: (method: Method, path: string, body?: unknown) => Promise<Answer>;
  readonly patch: (id: string, body: unknown) => Promise<Answer>;
  /** The offer in the nested form, without the change time that reads add. */
  readonly read: (id: string) => Promise<Answer>;
  /** An operator's call below `/operator/v1/offers`, which must succeed. */
  readonly decide: (id: string, action: string, body?: unknown) => Promise<Answer>;
  readonly switchAgreement: (to: Agreement) => Promise<void>;
};

export async function newOfferFixture(
  gateway: Gateway,
  agreement: Agreement = costPlus,
): Promise<OfferFixture> {
  const vendor = await newVendor(gateway, { agreement });
  const operator = await newOperator(gateway);
  const send: OfferFixture['send'] = (method, path, body) =>
    call(gateway, method, `/api/v1/scent/offers${path}`, { token: vendor.token, body });
  const decide: OfferFixture['decide'] = async (id, action, body = {}) => {
    const { token } = operator;
    const url = `/operator/v1/offers/${id}/${action}`;
    const sent = await bodyOfDecision(gateway, token, url, body);
    return succeed(call(gateway, 'POST', url, { token, body: sent }));
  };
  const variantFor = async ({ barcode = barcodes.first }: OfferGiven) =>
    (await newVariant(gateway, { barcode })).id;
  const create: OfferFixture['create'] = async (given = {}) => {
    const { isMatched = true, barcode = barcodes.first, declared } = given;
    const variantId = isMatched ? await variantFor(given) : null;
    const salePrice =
      agreement.pricingModel === 'CostPlusMargin'
        ? {}
        : { salePrice: 200, salePriceIsVatInclusive: false };
    const body = { ...freeFormOffer, ...salePrice, barcode, variantId, ...declared };
    const answer = await send('POST', '', body);
    if (answer.status !== 201) throw new Error(answer.text);
    return textOf(answer, 'id');
  };
  const switchAgreement: OfferFixture['switchAgreement'] = async ({
    pricingModel,
    rateBasisPoints,
  }) => {
    const name = pricingModel === 'CostPlusMargin' ? 'markupPercent' : 'commissionPercent';
    const url = `/operator/v1/vendors/${vendor.vendorId}/agreement`;
    const body = { pricingModel, [name]: rateBasisPoints / 100 };
    await succeed(call(gateway, 'PATCH', url, { token: operator.token, body }));
  };
  const approve = async (given: OfferGiven) => {
    const id = await create(given);
    const match = given.isMatched === false ? { variantId: await variantFor(given) } : {};
    await decide(id, 'approve', match);
    return id;
  };
  const offerIn: OfferFixture['offerIn'] = async (status, given = {}) => {
    switch (status) {
      case 'Draft':
        return create({ ...given, declared: { ...given.declared, saveAsDraft: true } });
      case 'PendingMatch':
        return create({ ...given, isMatched: false });
      case 'PendingReview':
        return create(given);
      case 'Approved':
        return approve(given);
      case 'Rejected': {
        const id = await create(given);
        await decide(id, 'reject', { reason: 'No.' });
        return id;
      }
      case 'Withdrawn': {
        const id = await create(given);
        await succeed(send('POST', `/${id}/withdraw`));
        return id;
      }
      case 'Suspended': {
        const id = await approve(given);
        await decide(id, 'suspend', { reason: 'Stop.' });
        return id;
      }
      case 'PendingRepricing': {
        const id = await approve(given);
        await switchAgreement(otherModel(agreement));
        return id;
      }
    }
  };
  return {
    vendor,
    operator,
    create,
    offerIn,
    send,
    patch: (id, body) => send('PATCH', `/${id}`, body),
    read: async (id) => {
      const answer = await send('GET', `/${id}`);
      if (answer.payload === null) return answer;
      const { changedAt: _changedAt, source: _source, ...payload } = answer.payload;
      return { ...answer, payload };
    },
    decide,
    switchAgreement,
  };
}

async function succeed(answer: Promise<Answer>): Promise<Answer> {
  const { state, text } = await answer;
  if (state !== 'SUCCESS') throw new Error(text);
  return answer;
}

export const otherModel = ({ pricingModel }: Agreement): Agreement =>
  pricingModel === 'CostPlusMargin'
    ? { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 }
    : { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };

/**
 * Everything that is stored about an offer, as text: what was refused, or changes nothing, leaves
 * it as it is.
 */
export async function recordOf({ sql }: Pick<Gateway, 'sql'>, id: string): Promise<string> {
  const [row] = await sql<[{ record: string }]>`
    select jsonb_build_object(
      'offer', (select to_jsonb(offers) from offers where id = ${id}),
      'supply', (select to_jsonb(supply_options) from supply_options where offer_id = ${id}),
      'history', (select jsonb_agg(h order by h.id) from offer_status_changes h
        where offer_id = ${id}),
      'messages', (select jsonb_agg(o order by o.id) from outbox o where subject_id = ${id})
    )::text as record`;
  return row.record;
}

/** The row of an offer's supply option. */
export const supplyOf = async ({ sql }: Pick<Gateway, 'sql'>, id: string) =>
  (
    await sql`
    select id, is_paused, net, sell_net::float8 as sell_net, stock_quantity, in_stock, updated_at
    from supply_options where offer_id = ${id}`
  )[0];
