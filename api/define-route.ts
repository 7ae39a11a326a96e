import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ErrorCode } from '../domain/errors.ts';
import { operatorOf, vendorOf } from './auth/authenticate.ts';
import type { OperatorCaller, VendorCaller } from './auth/tokens.ts';
import type { Dependencies } from './dependencies.ts';
import {
  changesEnvelope,
  envelope,
  existingEnvelope,
  success,
  successWithChanges,
  successWithExisting,
} from './http/envelope.ts';
import { reportChanges } from './security/report.ts';
import type { Routes } from './validation/compiler.ts';
import { pathId } from './validation/path-id.ts';
import type { QuerySchema } from './validation/query.ts';

/** Adds the routes of one file to the application. */
export type AddRoutes = (app: Routes, dependencies: Dependencies) => void;

/** What a route takes, answers and refuses. */
export type RouteDefinition = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: QuerySchema;
  readonly body?: v.GenericSchema;
  readonly headers?: v.GenericSchema;
  /** The payload of a success; the route adds the envelope. */
  readonly payload: v.GenericSchema;
  /**
   * Default: 200. Where both are possible the handler sets 201 for what it has created; its 200 has
   * `details.existing` (D87).
   */
  readonly statuses?: readonly (200 | 201)[];
  /** A list of changes: its envelope carries `nextChangedSince` (D67). */
  readonly isDelta?: true;
  /** The 404 of the path's first parameter. With it the handler gets the parsed `id` (D6). */
  readonly notFound?: ErrorCode;
  readonly refusals?: readonly ErrorCode[];
  readonly config?: FastifyContextConfig;
  readonly preValidation?: (request: FastifyRequest) => Promise<void>;
};

type Call<TCaller, D extends RouteDefinition> = {
  readonly caller: TCaller;
  readonly id: D extends { readonly notFound: ErrorCode } ? string : undefined;
  readonly query: D extends { readonly query: infer Q extends QuerySchema }
    ? v.InferOutput<Q>
    : undefined;
  readonly body: D extends { readonly body: infer B extends v.GenericSchema }
    ? v.InferOutput<B>
    : undefined;
  readonly request: FastifyRequest;
  readonly reply: Pick<FastifyReply, 'code' | 'headers'>;
};

type Payload<D extends RouteDefinition> = v.InferInput<D['payload']> &
  (D extends { readonly isDelta: true } ? { readonly nextChangedSince: string | null } : unknown);

/** Adds one route, such as `GET /api/v1/webhooks/:id`; the handler answers its payload. */
type AddRoute<TCaller> = <const D extends RouteDefinition>(
  methodAndPath: string,
  definition: D,
  handler: (call: Call<TCaller, D>) => Promise<Payload<D>>,
) => void;

const addRoutes =
  <TCaller>(
    app: Routes,
    group: { readonly tag: string; readonly config: FastifyContextConfig },
    callerOf: (request: FastifyRequest) => TCaller,
  ): AddRoute<TCaller> =>
  (methodAndPath, definition, handler) => {
    const [method = '', url = ''] = methodAndPath.split(' ');
    const { payload, statuses = [200], isDelta = false, notFound, refusals = [] } = definition;
    const mayExist = statuses.length > 1;
    const answerOf = (status: number) => {
      if (isDelta) return changesEnvelope(payload);
      return mayExist && status === 200 ? existingEnvelope(payload) : envelope(payload);
    };
    const parameters = Array.from(url.matchAll(/:(\w+)/g), ([, name]) => [name, v.string()]);
    const { operationId, summary, description } = definition;
    const { query, body, headers, preValidation } = definition;
    app.route({
      method,
      url,
      config: {
        ...group.config,
        ...definition.config,
        refusals: notFound === undefined ? refusals : [notFound, ...refusals],
      },
      ...(preValidation === undefined ? {} : { preValidation }),
      schema: {
        tags: [group.tag],
        operationId,
        summary,
        description,
        ...(parameters.length === 0 ? {} : { params: v.object(Object.fromEntries(parameters)) }),
        ...(query === undefined ? {} : { querystring: query }),
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
        response: Object.fromEntries(statuses.map((status) => [status, answerOf(status)])),
      },
      handler: async (request, reply) => {
        const [rawId = ''] = Object.values(request.params as Readonly<Record<string, string>>);
        // The schemas of the definition have parsed the parts; the types follow from them.
        const call = {
          caller: callerOf(request),
          id: notFound === undefined ? undefined : pathId(rawId, notFound),
          query: request.query,
          body: request.body,
          request,
          reply,
        } as unknown as Parameters<typeof handler>[0];
        const result: unknown = await handler(call);
        reportChanges(request);
        if (!statuses.includes(200)) void reply.code(201);
        if (mayExist && reply.statusCode === 200) return successWithExisting(result);
        if (!isDelta) return success(result);
        const { nextChangedSince, ...page } = result as { nextChangedSince: string | null };
        return successWithChanges(page, nextChangedSince);
      },
    });
  };

/** Routes for vendors with the capability, or with one of several; null: for every vendor. */
export const vendorRoutes = (
  app: Routes,
  { tag, ...config }: { readonly tag: string } & Pick<FastifyContextConfig, 'capability'>,
): AddRoute<VendorCaller> => addRoutes(app, { tag, config }, vendorOf);

/** Routes for operators with the role. */
export const operatorRoutes = (
  app: Routes,
  { tag, ...config }: { readonly tag: string } & Pick<FastifyContextConfig, 'role'>,
): AddRoute<OperatorCaller> => addRoutes(app, { tag, config }, operatorOf);
