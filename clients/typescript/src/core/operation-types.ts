import type { paths } from '../schema.ts';

/** Types of operations by method and path, which no change of a component's name affects. */

type Path = keyof paths;
type Json<TContent> = { readonly content: { readonly 'application/json': TContent } };

/** The request body. */
export type BodyOf<TPath extends Path, TMethod extends keyof paths[TPath]> =
  NonNullable<paths[TPath][TMethod]> extends { readonly requestBody?: infer TBody }
    ? NonNullable<TBody> extends Json<infer TContent>
      ? TContent
      : never
    : never;

type Success<TStatus extends number, TPayload> = {
  readonly responses: { readonly [S in TStatus]: Json<{ readonly payload: TPayload }> };
};

/** The payload of a success. */
export type PayloadOf<TPath extends Path, TMethod extends keyof paths[TPath]> =
  NonNullable<paths[TPath][TMethod]> extends Success<200, infer TPayload>
    ? TPayload
    : NonNullable<paths[TPath][TMethod]> extends Success<201, infer TPayload>
      ? TPayload
      : never;

/** The items of a list. */
export type ItemOf<TPath extends Path> =
  PayloadOf<TPath, 'get' & keyof paths[TPath]> extends { readonly items: readonly (infer TItem)[] }
    ? TItem
    : never;

/** The filters of a list: its query without what the iterators set. */
export type FiltersOf<TPath extends Path> = paths[TPath] extends {
  readonly get: { readonly parameters: { readonly query?: infer TQuery } };
}
  ? Omit<NonNullable<TQuery>, 'page' | 'changedSince'>
  : never;

/** What every call takes. */
export type CallOptions = { readonly signal?: AbortSignal };

/**
 * What a call that creates takes. With a key of its own, such as `crypto.randomUUID()`, the call
 * creates once, however often it is sent within 24 hours, and is retried as one that may be
 * repeated.
 */
export type CreateOptions = CallOptions & { readonly idempotencyKey?: string };

/** What a call takes that has a preview. */
export type Preview = {
  /** The call stores nothing: it answers as the same call without it would answer now. */
  readonly validateOnly?: boolean;
};

/** A flag of a query, as the gateway reads it. */
export const flag = <TName extends string>(name: TName, value: boolean | undefined) =>
  (value === undefined ? {} : { [name]: String(value) }) as { [K in TName]?: 'true' | 'false' };

/** The parameters of a call on one object. */
export const at = (id: string) => ({ params: { path: { id } } });
/** The parameters of a call on one shipment. */
export const atGroup = (groupId: string) => ({ params: { path: { groupId } } });

/** The options of a call on one object that has a preview, as the HTTP client takes them. */
export const previewed = <TPath extends object>(
  path: TPath,
  { validateOnly, ...init }: CallOptions & Preview = {},
) => ({ params: { path, query: flag('validateOnly', validateOnly) }, ...init });

/** The options of a call that creates, as the HTTP client takes them, with its parameters. */
export const keyed = <TParameters extends object = object>(
  { idempotencyKey, ...init }: CreateOptions = {},
  parameters?: TParameters,
) => ({
  params: {
    ...(parameters as TParameters),
    header: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  },
  ...init,
});
