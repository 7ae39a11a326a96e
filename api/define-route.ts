import { Readable } from 'node:stream';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import * as v from 'valibot';
import type { Sql } from '../db/core/client.ts';
import { pageSizeMax, type PageRequest } from '../db/lists/page.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { operatorOf, vendorOf } from './auth/authenticate.ts';
import type { Caller, OperatorCaller, VendorCaller } from './auth/tokens.ts';
import { keyedHeaders, keyRefusal, requireValidKey } from './commands/idempotency-key.ts';
import { runCommand } from './commands/run-command.ts';
import { isPreview, previewQuery, type PreviewScope } from './commands/validate-only.ts';
import type { Dependencies } from './dependencies.ts';
import { envelope, isPage, operatorTotalMax, pagePayload, type Found } from './http/envelope.ts';
import { pathId } from './validation/path-id.ts';
import { pageParameters, query, type QuerySchema, type QueryValues } from './validation/query.ts';

/** A response that is a file, without an envelope. Its pieces are read as the caller reads them. */
export class FileResponse {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<string>;
  constructor(mediaType: string, pieces: AsyncIterable<string>) {
    this.mediaType = mediaType;
    this.pieces = pieces;
  }
}

const sendFile = (
  reply: Pick<FastifyReply, 'type'>,
  { mediaType, pieces }: FileResponse,
): FastifyReply =>
  // One piece waits at most, so that a caller who does not read takes little memory.
  reply.type(`${mediaType}; charset=utf-8`).send(Readable.from(pieces, { highWaterMark: 1 }));

/** Adds the routes of one file to the application. */
export type AddRoutes = (app: FastifyInstance, dependencies: Dependencies) => void;

const successes = [200, 201, 202] as const;
type Status = (typeof successes)[number];

/** The parts of a route that the types of its handler follow from; undefined: it has none. */
type Parts<TPayload, TQuery, TBody, TNotFound, TIsDelta, TFacets> = {
  /**
   * The payload of a success; the route adds the envelope. A GET whose payload is a page also takes
   * the parameters of paging.
   */
  readonly payload: TPayload;
  readonly query?: TQuery;
  readonly body?: TBody;
  /** The 404 of the path's first parameter. With it the handler gets the parsed `id`. */
  readonly notFound?: TNotFound;
  /** A list of changes: its envelope carries `nextChangedSince`. */
  readonly isDelta?: TIsDelta;
  /** A list that counts its items on request: the details then have `facets`. */
  readonly facets?: TFacets;
};

/** The other input, responses and refusals of a route. */
type Declared = {
  /** The method and the path, such as `GET /api/v1/webhooks/:id`. */
  readonly at: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly headers?: v.GenericSchema;
  /**
   * Default: 200. Where both are possible the handler sets 201 for what it has created; its 200 has
   * `details.existing`. A POST that answers 201 or 202 takes an `Idempotency-Key`.
   */
  readonly statuses?: readonly Status[];
  /** A repeated call has the same response without a key, so the route takes none. */
  readonly isRepeatable?: true;
  /**
   * The response has a secret. The route takes a key even if it answers 200, because a repeated
   * call would make another secret; a reset of a sandbox keeps the response with what it names.
   */
  readonly makesSecret?: true;
  /** The route takes `validateOnly`. */
  readonly validateOnly?: PreviewScope;
  readonly refusals?: readonly ErrorCode[];
  readonly config?: FastifyContextConfig;
  /** The largest body. Default: the largest body of all routes. */
  readonly bodyBytesMax?: number;
  readonly preValidation?: (request: FastifyRequest) => Promise<void>;
};

/** What a call of a route runs. */
type Handlers<TAsked, TResult> = {
  readonly handler: (call: TAsked & Commands) => Promise<TResult | FileResponse>;
  /** Waits before the transaction of a call begins, for example for a name server. */
  readonly prepare?: (call: TAsked) => Promise<void>;
  /** Throws for a caller that may no longer read the response of its earlier call. */
  readonly mayRepeat?: (call: TAsked) => Promise<void>;
};
type Commands = {
  /**
   * The pool of commands. A route that creates or takes `validateOnly` writes only through it,
   * because the call may be part of a transaction.
   */
  readonly sql: Sql;
};

type HasPages<TPayload extends v.GenericSchema> =
  v.InferInput<TPayload> extends { readonly pagination: unknown } ? true : false;

/** The facts of a call before its command begins. */
type Asked<TCaller, TPayload extends v.GenericSchema, TQuery, TBody, TNotFound> = {
  readonly caller: TCaller;
  /** The page of a list that the call asks for; without parameters, the largest first one. */
  readonly page: HasPages<TPayload> extends true ? PageRequest : undefined;
  readonly id: TNotFound extends ErrorCode ? string : undefined;
  /** The parameters, without those of paging. */
  readonly query: TQuery extends QuerySchema
    ? HasPages<TPayload> extends true
      ? Omit<QueryValues<TQuery>, keyof typeof pageParameters>
      : QueryValues<TQuery>
    : undefined;
  readonly body: TBody extends v.GenericSchema ? v.InferOutput<TBody> : undefined;
  readonly request: FastifyRequest;
  readonly reply: Pick<FastifyReply, 'code' | 'headers'>;
};

/** A page has its total; the route makes the pagination of it. */
type Result<TPayload extends v.GenericSchema, TIsDelta, TFacets> = (HasPages<TPayload> extends true
  ? Omit<v.InferInput<TPayload>, 'pagination'> & { readonly totalCount: number }
  : v.InferInput<TPayload>) &
  (TIsDelta extends true ? { readonly nextChangedSince: string | null } : unknown) &
  (TFacets extends v.GenericSchema ? { readonly facets: v.InferInput<TFacets> | null } : unknown);

/** Adds one route; its handler returns the payload. */
type AddRoute<TCaller> = <
  TPayload extends v.GenericSchema,
  TQuery extends QuerySchema | undefined = undefined,
  TBody extends v.GenericSchema | undefined = undefined,
  TNotFound extends ErrorCode | undefined = undefined,
  TIsDelta extends true | undefined = undefined,
  TFacets extends v.GenericSchema | undefined = undefined,
>(
  route: Declared &
    Parts<TPayload, TQuery, TBody, TNotFound, TIsDelta, TFacets> &
    Handlers<
      Asked<TCaller, TPayload, TQuery, TBody, TNotFound>,
      Result<TPayload, TIsDelta, TFacets>
    >,
) => void;

type Schema = v.GenericSchema | undefined;
/** A route of any type. Its handler takes what its schemas have parsed. */
type AnyRoute = Declared &
  Parts<v.GenericSchema, QuerySchema | undefined, Schema, ErrorCode | undefined, unknown, Schema> &
  Handlers<never, unknown>;

/** What the routes of a group share. */
type RouteGroup = {
  readonly tag: string;
  readonly config: FastifyContextConfig;
  /** The totals of lists are exact to a number. */
  readonly hasBoundTotals?: boolean;
  /** A group whose callers have no token: what each call passes first. */
  readonly onRequest?: onRequestHookHandler;
};

/** The query of a list begins with the parameters of paging, unless it has them elsewhere. */
function queryOf(method: string, { payload, query: own }: AnyRoute): QuerySchema | undefined {
  if (method !== 'GET' || !isPage(payload) || (own !== undefined && 'page' in own.entries))
    return own;
  return query({ ...pageParameters, ...own?.entries });
}

function schemaOf(
  { method, url }: { readonly method: string; readonly url: string },
  { tag, hasBoundTotals = false }: RouteGroup,
  isKeyed: boolean,
  definition: AnyRoute,
) {
  const { operationId, summary, description, body, payload, statuses = [200] } = definition;
  const { facets, validateOnly } = definition;
  const isDelta = definition.isDelta === true;
  const isPreviewable = validateOnly !== undefined;
  const querystring = isPreviewable ? previewQuery : queryOf(method, definition);
  const headers = isKeyed ? keyedHeaders(definition.headers) : definition.headers;
  const parameters = Array.from(url.matchAll(/:(\w+)/g), ([, name]) => [name, v.string()]);
  const isBounded = hasBoundTotals && isPage(payload);
  const responseOf = (status: number) => {
    const isExisting = statuses.length > 1 && status === 200;
    return envelope(payload, { isBounded, isDelta, isExisting, isPreviewable, facets });
  };
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    ...(parameters.length > 0 && { params: v.object(Object.fromEntries(parameters)) }),
    ...(querystring && { querystring }),
    ...(body && { body }),
    ...(headers && { headers }),
    response: Object.fromEntries(statuses.map((status) => [status, responseOf(status)])),
  };
}

function envelopeOf(
  result: unknown,
  statuses: readonly Status[],
  page: PageRequest | undefined,
  { status, request }: { readonly status: number; readonly request: FastifyRequest },
) {
  const [payload, details] = page === undefined ? [result, {}] : pagePayload(result as Found, page);
  return {
    state: 'SUCCESS',
    payload,
    details: {
      ...details,
      ...(statuses.length > 1 && status === 200 && { existing: true }),
      ...(isPreview(request) && { validateOnly: true }),
    },
  };
}

type Paging = { readonly page?: number; readonly pageSize?: number };

/** The page that a call of a list asks for, and its other parameters. */
const pageAsked = (
  { page = 1, pageSize = pageSizeMax, ...filters }: Paging,
  { hasBoundTotals = false }: RouteGroup,
) => ({
  page: { page, pageSize, ...(hasBoundTotals && { totalMax: operatorTotalMax }) },
  filters,
});

const addRoutes =
  <TCaller extends Caller | null>(
    app: FastifyInstance,
    group: RouteGroup,
    callerOf: (request: FastifyRequest) => TCaller,
  ): AddRoute<TCaller> =>
  (route: AnyRoute): void => {
    const { statuses = [200], notFound, refusals = [], preValidation, validateOnly } = route;
    const { handler, prepare, mayRepeat } = route;
    const [method = '', url = ''] = route.at.split(' ');
    const creates = method === 'POST' && !statuses.every((status) => status === 200);
    // Without a caller, nobody has the key.
    const isKeyed =
      (creates || route.makesSecret === true) &&
      route.isRepeatable !== true &&
      group.onRequest === undefined;
    const refused: readonly ErrorCode[] = isKeyed ? [...refusals, keyRefusal] : refusals;
    const hooks = [
      // First, because it may list a malformed key too.
      ...(preValidation === undefined ? [] : [preValidation]),
      ...(isKeyed ? [requireValidKey(route.body)] : []),
    ];
    const hasPages = isPage(route.payload);
    app.route({
      method,
      url,
      config: {
        ...group.config,
        ...route.config,
        isPreviewable: validateOnly !== undefined,
        refusals: notFound === undefined ? refused : [notFound, ...refused],
      },
      ...(route.bodyBytesMax && { bodyLimit: route.bodyBytesMax }),
      ...(group.onRequest && { onRequest: group.onRequest }),
      ...(hooks.length > 0 && { preValidation: hooks }),
      schema: schemaOf({ method, url }, group, isKeyed, route),
      handler: async (request, reply) => {
        const [rawId = ''] = Object.values(request.params as Readonly<Record<string, string>>);
        const caller = callerOf(request);
        const { page, filters } = hasPages
          ? pageAsked(request.query as Paging, group)
          : { page: undefined, filters: request.query };
        const asked = {
          caller,
          page,
          id: notFound === undefined ? undefined : pathId(rawId, notFound),
          query: filters,
          body: request.body,
          request,
          reply,
        };
        const response: unknown = await runCommand(request.server.commands, {
          caller,
          request,
          reply,
          isKeyed,
          staysAfterReset: route.makesSecret === true,
          validateOnly: validateOnly ?? null,
          prepare: prepare && (() => prepare(asked as never)),
          mayRepeat: mayRepeat && (() => mayRepeat(asked as never)),
          run: async (sql) => {
            const result: unknown = await handler({ ...asked, sql } as never);
            if (result instanceof FileResponse) return { status: 200, envelope: result };
            if (!statuses.includes(200)) void reply.code(statuses[0] ?? 201);
            // A call that took too long has another status by now.
            const status = successes.find((each) => each === reply.statusCode) ?? 200;
            return { status, envelope: envelopeOf(result, statuses, page, { status, request }) };
          },
        });
        return response instanceof FileResponse ? sendFile(reply, response) : response;
      },
    });
  };

/** Routes for vendors with the capability, or with one of several; null: for every vendor. */
export const vendorRoutes = (
  app: FastifyInstance,
  { tag, ...config }: { readonly tag: string } & Pick<FastifyContextConfig, 'capability'>,
): AddRoute<VendorCaller> => addRoutes(app, { tag, config }, vendorOf);

/** Routes for operators with the role, or with one of several. */
export const operatorRoutes = (
  app: FastifyInstance,
  { tag, ...config }: { readonly tag: string } & Pick<FastifyContextConfig, 'role'>,
): AddRoute<OperatorCaller> => addRoutes(app, { tag, config, hasBoundTotals: true }, operatorOf);

/** Routes without a token; `onRequest` is what each call passes first. */
export const openRoutes = (
  app: FastifyInstance,
  group: { readonly tag: string; readonly onRequest: onRequestHookHandler },
): AddRoute<null> => addRoutes(app, { ...group, config: {} }, () => null);
