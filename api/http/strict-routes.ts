import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { query } from '../validation/query.ts';

const noQuery = query({});
const noBody = v.strictObject({});

/** A route without a query refuses every parameter; one without a body accepts only `{}`. */
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
