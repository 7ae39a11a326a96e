import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { query } from '../validation/query.ts';

const noQuery = query({});
const noBody = v.strictObject({});

/** A route that declares no query takes none, and one that declares no body takes none but an empty object (D4). */
export function strictRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const takesBody = route.method !== 'GET' && route.method !== 'HEAD';
    route.schema = {
      querystring: noQuery,
      ...(takesBody ? { body: noBody } : {}),
      ...route.schema,
    };
  });
}
