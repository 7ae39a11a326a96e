import { createChanges } from '../core/changes.ts';
import { dataOf, payloadOf, type Http } from '../core/http.ts';
import {
  at,
  keyed,
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type FiltersOf,
  type ItemOf,
} from '../core/operation-types.ts';
import { createPages, inPage } from '../core/pages.ts';

const list = '/api/v1/scent/returns';
const one = '/api/v1/scent/returns/{id}';
const evidence = '/api/v1/scent/returns/{id}/evidence';
const proposal = '/api/v1/scent/returns/{id}/inspection/propose';

/** A return that goes to the vendor. */
export type ReturnRequest = ItemOf<typeof list>;
export type ReturnFilters = FiltersOf<typeof list>;

/** The returns that go to the vendor. */
export function returnsOf(http: Http) {
  return {
    /** The newest first. */
    list: (filters: ReturnFilters = {}, options?: CallOptions) =>
      createPages<ReturnRequest>((page) =>
        http.GET(list, { params: inPage(filters, page), ...options }),
      ),
    changedSince: (since: string | Date, filters: ReturnFilters = {}, options?: CallOptions) =>
      createChanges<ReturnRequest>((changedSince, page) => {
        const params = inPage({ ...filters, changedSince }, page);
        return dataOf(http.GET(list, { params, ...options }));
      }, since),
    get: (id: string, options?: CallOptions) => payloadOf(http.GET(one, { ...at(id), ...options })),
    confirmReceipt: (id: string, options?: CallOptions) =>
      payloadOf(http.PATCH('/api/v1/scent/returns/{id}/received', { ...at(id), ...options })),
    /** Evidence that is sent twice without an `idempotencyKey` is stored twice. */
    addEvidence: (id: string, body: BodyOf<typeof evidence, 'post'>, options?: CreateOptions) =>
      payloadOf(http.POST(evidence, { ...keyed(options, { path: { id } }), body })),
    proposeOutcome: (id: string, body: BodyOf<typeof proposal, 'patch'>, options?: CallOptions) =>
      payloadOf(http.PATCH(proposal, { ...at(id), body, ...options })),
  };
}
