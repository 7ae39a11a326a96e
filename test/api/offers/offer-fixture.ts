import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import {
  costPlus,
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
} from '../../support/api/actors.ts';
import {
  call,
  succeeded,
  textOf,
  type ApiResponse,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { bodyOfDecision } from '../../support/api/review-version.ts';
import { everythingOf } from './offer-record.ts';

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
  const send = (method: Method, path: string, body?: unknown): Promise<ApiResponse> =>
    call(gateway, method, `/api/v1/scent/offers${path}`, { token: vendor.token, body });
  /** An operator's call below `/operator/v1/offers`, which must succeed. */
  const decide = async (id: string, action: string, body: unknown = {}): Promise<ApiResponse> => {
    const { token } = operator;
    const url = `/operator/v1/offers/${id}/${action}`;
    const sent = await bodyOfDecision(gateway.sql, url, body);
    return succeeded(await call(gateway, 'POST', url, { token, body: sent }));
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
    return textOf(succeeded(await send('POST', '', body)), 'id');
  };
  const switchAgreement = async ({ pricingModel, rateBasisPoints }: Agreement): Promise<void> => {
    const name = pricingModel === 'CostPlusMargin' ? 'markupPercent' : 'commissionPercent';
    const url = `/operator/v1/vendors/${vendor.vendorId}/agreement`;
    const body = { pricingModel, [name]: rateBasisPoints / 100 };
    succeeded(await call(gateway, 'PATCH', url, { token: operator.token, body }));
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
    if (status === 'Withdrawn') succeeded(await send('POST', `/${id}/withdraw`));
    if (status === 'Suspended') await decide(id, 'suspend', { reason: 'Stop.' });
    if (status === 'PendingRepricing') await switchAgreement(otherModel(agreement));
    return id;
  };
  /** The offer in the nested form, without the change time that reads add. */
  const read = async (id: string): Promise<ApiResponse> => {
    const response = await send('GET', `/${id}`);
    if (response.payload === null) return response;
    const { changedAt: _changedAt, source: _source, ...payload } = response.payload;
    return { ...response, payload };
  };
  const patch = (id: string, body: unknown) => send('PATCH', `/${id}`, body);
  return { vendor, operator, create, offerIn, send, patch, read, decide, switchAgreement };
}
export type OfferFixture = Awaited<ReturnType<typeof newOfferFixture>>;

export const otherModel = ({ pricingModel }: Agreement): Agreement =>
  pricingModel === 'CostPlusMargin' ? percentageOfSale : costPlus;

/** The row of an offer's supply option. */
export const supplyOf = async ({ sql }: Pick<Gateway, 'sql'>, id: string) =>
  (await sql`select * from supply_options where offer_id = ${id}`)[0];

/**
 * Everything that is stored about an offer, as text: what was refused, or changes nothing, leaves
 * it as it is.
 */
export const recordOf = async ({ sql }: Pick<Gateway, 'sql'>, id: string): Promise<string> =>
  JSON.stringify([await everythingOf(sql, id), (await supplyOf({ sql }, id))?.['updatedAt']]);
