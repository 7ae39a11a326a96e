import { createChanges } from '../core/changes.ts';
import { dataOf, payloadOf, type Http } from '../core/http.ts';
import {
  atGroup,
  type BodyOf,
  type CallOptions,
  type FiltersOf,
  type ItemOf,
} from '../core/operation-types.ts';
import { createPages, inPage } from '../core/pages.ts';

const list = '/api/v1/scent/orders';
const one = '/api/v1/scent/orders/{groupId}';

/** A shipment that is assigned to the vendor. */
export type FulfilmentGroup = ItemOf<typeof list>;
export type ShipmentFilters = FiltersOf<typeof list>;

/** The shipments of the vendor. */
export function ordersOf(http: Http) {
  return {
    /** The oldest order first. */
    list: (filters: ShipmentFilters = {}, options?: CallOptions) =>
      createPages<FulfilmentGroup>((page) =>
        http.GET(list, { params: inPage(filters, page), ...options }),
      ),
    /** An unchanged shipment may repeat: store them by `groupId`. */
    changedSince: (since: string | Date, filters: ShipmentFilters = {}, options?: CallOptions) =>
      createChanges<FulfilmentGroup>((changedSince, page) => {
        const params = inPage({ ...filters, changedSince }, page);
        return dataOf(http.GET(list, { params, ...options }));
      }, since),
    get: (groupId: string, options?: CallOptions): Promise<FulfilmentGroup> =>
      payloadOf(http.GET(one, { ...atGroup(groupId), ...options })),
    update: (
      groupId: string,
      body: BodyOf<typeof one, 'patch'>,
      options?: CallOptions,
    ): Promise<FulfilmentGroup> =>
      payloadOf(http.PATCH(one, { ...atGroup(groupId), body, ...options })),
    pack: (groupId: string, options?: CallOptions): Promise<FulfilmentGroup> =>
      payloadOf(
        http.POST('/api/v1/scent/orders/{groupId}/pack', { ...atGroup(groupId), ...options }),
      ),
    ship: (groupId: string, options?: CallOptions): Promise<FulfilmentGroup> =>
      payloadOf(
        http.POST('/api/v1/scent/orders/{groupId}/ship', { ...atGroup(groupId), ...options }),
      ),
  };
}
