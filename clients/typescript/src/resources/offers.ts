import { createChanges } from '../core/changes.ts';
import { dataOf, payloadOf, type Http } from '../core/http.ts';
import {
  at,
  flag,
  keyed,
  previewed,
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type FiltersOf,
  type ItemOf,
  type PayloadOf,
  type Preview,
} from '../core/operation-types.ts';
import { createPages, inPage } from '../core/pages.ts';

const list = '/api/v1/scent/offers';
const one = '/api/v1/scent/offers/{id}';

/** An offer as the reads answer it. */
export type Offer = ItemOf<typeof list>;
/** The body of a create. */
export type NewOffer = BodyOf<typeof list, 'post'>;
export type OfferFilters = FiltersOf<typeof list>;
type Changed = PayloadOf<typeof one, 'patch'>;
/** The nested form, which pushes and moves answer. */
export type NestedOffer = PayloadOf<'/api/v1/scent/offers/{id}/cost', 'patch'>;
/** The flat form, which a create returns. */
export type FlatOffer = PayloadOf<typeof list, 'post'>;
/** What a create returns. */
export type CreatedOffer = FlatOffer & {
  /**
   * Whether the offer existed already: it is as it was, and the rest of the body has no effect. The
   * property is not enumerable, so that copies and JSON are the payload of the gateway.
   */
  readonly existing: boolean;
};

type PreviewOptions = CallOptions & Preview;

/** The offers of the vendor. */
export function offersOf(http: Http) {
  return {
    /**
     * Submits an offer. With a `vendorExternalId` it may be repeated: it returns the same offer,
     * unchanged, and its `existing` is true.
     */
    create: async (
      body: NewOffer,
      { validateOnly, ...options }: CreateOptions & Preview = {},
    ): Promise<CreatedOffer> => {
      const query = flag('validateOnly', validateOnly);
      const init = { ...keyed(options, { query }), body };
      const { payload, details } = await dataOf(http.POST(list, init));
      const existing = 'existing' in details && details.existing;
      return Object.defineProperty(payload, 'existing', { value: existing }) as CreatedOffer;
    },
    get: (id: string, options?: CallOptions): Promise<PayloadOf<typeof one, 'get'>> =>
      payloadOf(http.GET(one, { ...at(id), ...options })),
    /** The newest first. The list shifts while others write; `changedSince` does not. */
    list: (filters: OfferFilters = {}, options?: CallOptions) =>
      createPages<Offer>((page) => http.GET(list, { params: inPage(filters, page), ...options })),
    changedSince: (since: string | Date, filters: OfferFilters = {}, options?: CallOptions) =>
      createChanges<Offer>((changedSince, page) => {
        const params = inPage({ ...filters, changedSince }, page);
        return dataOf(http.GET(list, { params, ...options }));
      }, since),
    update: (
      id: string,
      body: BodyOf<typeof one, 'patch'>,
      options?: PreviewOptions,
    ): Promise<Changed> => payloadOf(http.PATCH(one, { ...previewed({ id }, options), body })),
    pushStock: (
      offerId: string,
      body: BodyOf<'/api/v1/scent/offers/{offerId}/stock', 'patch'>,
      options?: PreviewOptions,
    ): Promise<NestedOffer> =>
      payloadOf(
        http.PATCH('/api/v1/scent/offers/{offerId}/stock', {
          ...previewed({ offerId }, options),
          body,
        }),
      ),
    pushCost: (
      id: string,
      body: BodyOf<'/api/v1/scent/offers/{id}/cost', 'patch'>,
      options?: PreviewOptions,
    ): Promise<NestedOffer> =>
      payloadOf(
        http.PATCH('/api/v1/scent/offers/{id}/cost', { ...previewed({ id }, options), body }),
      ),
    pushSalePrice: (
      id: string,
      body: BodyOf<'/api/v1/scent/offers/{id}/sale-price', 'patch'>,
      options?: PreviewOptions,
    ): Promise<NestedOffer> =>
      payloadOf(
        http.PATCH('/api/v1/scent/offers/{id}/sale-price', { ...previewed({ id }, options), body }),
      ),
    /** Up to 1,000 items, with a result for each. */
    pushStocks: (
      body: BodyOf<'/api/v1/scent/offers/stock', 'patch'>,
      { validateOnly, ...options }: PreviewOptions = {},
    ): Promise<PayloadOf<'/api/v1/scent/offers/stock', 'patch'>> => {
      const params = { query: flag('validateOnly', validateOnly) };
      return payloadOf(http.PATCH('/api/v1/scent/offers/stock', { params, body, ...options }));
    },
    submit: (id: string, options?: CallOptions): Promise<NestedOffer> =>
      payloadOf(http.POST('/api/v1/scent/offers/{id}/submit', { ...at(id), ...options })),
    withdraw: (id: string, options?: CallOptions): Promise<NestedOffer> =>
      payloadOf(http.POST('/api/v1/scent/offers/{id}/withdraw', { ...at(id), ...options })),
    /** The status changes, the oldest first. */
    history: (id: string, options?: CallOptions) =>
      createPages<ItemOf<'/api/v1/scent/offers/{id}/history'>>((page) =>
        http.GET('/api/v1/scent/offers/{id}/history', {
          params: { path: { id }, ...inPage({}, page) },
          ...options,
        }),
      ),
  };
}
