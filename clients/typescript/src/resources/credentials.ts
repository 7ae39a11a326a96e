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

const list = '/api/v1/credentials';
const profile = '/api/v1/vendor/profile';

/** A credential; it never has its secret. */
export type Credential = ItemOf<typeof list>;

/** The environment of a gateway. */
export type Environment = 'Production' | 'Sandbox';

/** The credentials of the vendor. */
export function credentialsOf(http: Http, environment: Environment) {
  // The document of a gateway has its own environment only.
  const header = { 'X-Service-Environment': environment as 'Production' };
  return {
    list: (options?: CallOptions) =>
      createPages<Credential>((page) =>
        http.GET(list, { params: { header, ...inPage({}, page) }, ...options }),
      ),
    /**
     * Only this response, given again for its `idempotencyKey`, has the secret. `capabilities` is a
     * list such as `Offers,Stock`.
     */
    create: (body: BodyOf<typeof list, 'post'>, options?: CreateOptions) => {
      const { params, ...init } = keyed(options);
      const named = { header: { ...header, ...params.header } };
      return payloadOf(http.POST(list, { params: named, body, ...init }));
    },
    setActive: (id: string, isActive: boolean, options?: CallOptions) =>
      payloadOf(
        http.PATCH('/api/v1/credentials/{id}/active', {
          ...at(id),
          body: { isActive },
          ...options,
        }),
      ),
    delete: (id: string, options?: CallOptions) =>
      payloadOf(http.DELETE('/api/v1/credentials/{id}', { ...at(id), ...options })),
  };
}

/** The vendor's own profile. */
export function profileOf(http: Http) {
  return {
    get: (options?: CallOptions) => payloadOf(http.GET(profile, options)),
    update: (body: BodyOf<typeof profile, 'patch'>, options?: CallOptions) =>
      payloadOf(http.PATCH(profile, { body, ...options })),
  };
}
