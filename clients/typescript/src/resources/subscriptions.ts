import { payloadOf, type Http } from '../core/http.ts';
import {
  at,
  keyed,
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type ItemOf,
} from '../core/operation-types.ts';
import { createPages, inPage } from '../core/pages.ts';

const list = '/api/v1/webhooks';
const one = '/api/v1/webhooks/{id}';
const attempts = '/api/v1/webhooks/{id}/deliveries';
const redelivery = '/api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver';
const recovery = '/api/v1/webhooks/{id}/recover';
const testFire = '/api/v1/webhooks/{id}/test-fire';

/** A webhook subscription; it never has its secret. */
export type Subscription = ItemOf<typeof list>;
/** One attempt to deliver an event. */
export type DeliveryAttempt = ItemOf<typeof attempts>;

/** The webhook subscriptions of the vendor. */
export function subscriptionsOf(http: Http) {
  return {
    /** Only this response and the response of `rotateSecret` have the secret. */
    create: (body: BodyOf<typeof list, 'post'>, options?: CreateOptions) =>
      payloadOf(http.POST(list, { ...keyed(options), body })),
    list: (options?: CallOptions) =>
      createPages<Subscription>((page) => http.GET(list, { params: inPage({}, page), ...options })),
    get: (id: string, options?: CallOptions) => payloadOf(http.GET(one, { ...at(id), ...options })),
    update: (id: string, body: BodyOf<typeof one, 'put'>, options?: CallOptions) =>
      payloadOf(http.PUT(one, { ...at(id), body, ...options })),
    setActive: (id: string, isActive: boolean, options?: CallOptions) =>
      payloadOf(
        http.PATCH('/api/v1/webhooks/{id}/active', { ...at(id), body: { isActive }, ...options }),
      ),
    delete: (id: string, options?: CallOptions) =>
      payloadOf(http.DELETE(one, { ...at(id), ...options })),
    /** The previous secret verifies nothing from now on. */
    rotateSecret: (id: string, options?: CallOptions) =>
      payloadOf(http.POST('/api/v1/webhooks/{id}/rotate-secret', { ...at(id), ...options })),
    /** Sends a sample and returns its attempt. */
    testFire: (id: string, body: BodyOf<typeof testFire, 'post'>, options?: CallOptions) =>
      payloadOf(http.POST(testFire, { ...at(id), body, ...options })),
    /** Each attempt of the last 30 days, the newest first. */
    attempts: (id: string, options?: CallOptions) =>
      createPages<DeliveryAttempt>((page) =>
        http.GET(attempts, { params: { path: { id }, ...inPage({}, page) }, ...options }),
      ),
    redeliver: (id: string, attemptId: string, options?: CallOptions) =>
      payloadOf(http.POST(redelivery, { params: { path: { id, attemptId } }, ...options })),
    /** Delivers what is undelivered since an instant, at most 10,000 deliveries of each kind. */
    recover: (id: string, body: BodyOf<typeof recovery, 'post'>, options?: CallOptions) =>
      payloadOf(http.POST(recovery, { ...at(id), body, ...options })),
  };
}
