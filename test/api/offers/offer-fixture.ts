import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import {
  costPlus,
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
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
export async function newOfferFixture(gateway: Gateway, agreement: Agreement = costPlus) {
  const vendor = await newVendor(gateway, { agreement });
  const operator = await newOperator(gateway);
  /** A vendor's call below `/api/v1/scent/offers`. */
  const send = (method: Method, path: string, body?: unknown): Promise<Answer> =>
    call(gateway, method, `/api/v1/scent/offers${path}`, { token: vendor.token, body });
  /** An operator's call below `/operator/v1/offers`, which must succeed. */
  const decide = async (id: string, action: string, body: unknown = {}): Promise<Answer> => {
    const { token } = operator;
    const url = `/operator/v1/offers/${id}/${action}`;
    const sent = await bodyOfDecision(gateway, token, url, body);
    return succeed(call(gateway, 'POST', url, { token, body: sent }));
  };
  const variantFor = async ({ barcode = barcodes.first }: OfferGiven) =>
    (await newVariant(gateway, { barcode })).id;
  const create = async (given: OfferGiven = {}): Promise<string> => {
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
  const switchAgreement = async ({ pricingModel, rateBasisPoints }: Agreement): Promise<void> => {
    const name = pricingModel === 'CostPlusMargin' ? 'markupPercent' : 'commissionPercent';
    const url = `/operator/v1/vendors/${vendor.vendorId}/agreement`;
    const body = { pricingModel, [name]: rateBasisPoints / 100 };
    await succeed(call(gateway, 'PATCH', url, { token: operator.token, body }));
  };
  /**
   * An offer that came to the status on the shortest way. PendingRepricing switches the vendor's
   * agreement.
   */
  const offerIn = async (status: OfferStatus, given: OfferGiven = {}): Promise<string> => {
    const isMatched = given.isMatched !== false && status !== 'PendingMatch';
    const draft = status === 'Draft' ? { saveAsDraft: true } : {};
    const id = await create({ ...given, isMatched, declared: { ...given.declared, ...draft } });
    if (status === 'Approved' || status === 'Suspended' || status === 'PendingRepricing')
      await decide(id, 'approve', isMatched ? {} : { variantId: await variantFor(given) });
    if (status === 'Rejected') await decide(id, 'reject', { reason: 'No.' });
    if (status === 'Withdrawn') await succeed(send('POST', `/${id}/withdraw`));
    if (status === 'Suspended') await decide(id, 'suspend', { reason: 'Stop.' });
    if (status === 'PendingRepricing') await switchAgreement(otherModel(agreement));
    return id;
  };
  /** The offer in the nested form, without the change time that reads add. */
  const read = async (id: string): Promise<Answer> => {
    const answer = await send('GET', `/${id}`);
    if (answer.payload === null) return answer;
    const { changedAt: _changedAt, source: _source, ...payload } = answer.payload;
    return { ...answer, payload };
  };
  const patch = (id: string, body: unknown) => send('PATCH', `/${id}`, body);
  return { vendor, operator, create, offerIn, send, patch, read, decide, switchAgreement };
}
export type OfferFixture = Awaited<ReturnType<typeof newOfferFixture>>;

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
