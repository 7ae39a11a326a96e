import { entriesOf, type SchemaNode } from './schema-nodes.ts';

const item = '/payload/items/0/id';
const created = '/payload/id';

/**
 * Responses that contain an id: operation, status, JSON pointer to the id, and the start of the
 * paths whose first parameter takes it.
 */
const idSources: readonly (readonly [string, number, string, string])[] = [
  ['POST /api/v1/scent/offers', 201, created, '/api/v1/scent/offers/{'],
  ['GET /api/v1/scent/offers', 200, item, '/api/v1/scent/offers/{'],
  ['POST /api/v1/scent/jobs', 202, created, '/api/v1/scent/jobs/{'],
  ['GET /api/v1/scent/jobs', 200, item, '/api/v1/scent/jobs/{'],
  ['GET /api/v1/scent/orders', 200, '/payload/items/0/groupId', '/api/v1/scent/orders/{'],
  ['GET /api/v1/scent/returns', 200, item, '/api/v1/scent/returns/{'],
  ['POST /api/v1/webhooks', 201, '/payload/subscription/id', '/api/v1/webhooks/{'],
  ['GET /api/v1/webhooks', 200, item, '/api/v1/webhooks/{'],
  ['GET /api/v1/webhooks', 200, item, '/api/v1/scent/webhooks/{'],
  ['POST /api/v1/credentials', 201, created, '/api/v1/credentials/{'],
  ['GET /api/v1/credentials', 200, item, '/api/v1/credentials/{'],
  ['POST /operator/v1/vendors', 201, created, '/operator/v1/vendors/{'],
  ['GET /operator/v1/vendors', 200, item, '/operator/v1/vendors/{'],
  ['POST /operator/v1/vendors/{id}/credentials', 201, created, '/operator/v1/credentials/{'],
  ['GET /operator/v1/vendors/{id}/credentials', 200, item, '/operator/v1/credentials/{'],
  ['POST /operator/v1/variants', 201, created, '/operator/v1/variants/{'],
  ['GET /operator/v1/variants', 200, item, '/operator/v1/variants/{'],
  ['POST /operator/v1/vendors/{id}/offers', 201, created, '/operator/v1/offers/{'],
  ['GET /operator/v1/offers', 200, item, '/operator/v1/offers/{'],
  ['POST /operator/v1/review-jobs', 202, created, '/operator/v1/review-jobs/{'],
  ['GET /operator/v1/review-jobs', 200, item, '/operator/v1/review-jobs/{'],
  ['POST /operator/v1/orders', 201, '/payload/groups/0/groupId', '/operator/v1/groups/{'],
  ['POST /operator/v1/returns', 201, created, '/operator/v1/returns/{'],
  ['GET /operator/v1/returns', 200, item, '/operator/v1/returns/{'],
  ['GET /operator/v1/webhook-deliveries', 200, item, '/operator/v1/webhook-deliveries/{'],
];

const redeliver = '/api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver';
/** Pointers to an attempt's id. Its redelivery also takes the subscription's id of the request. */
const attemptSources: Readonly<Record<string, string>> = {
  'GET /api/v1/webhooks/{id}/deliveries': item,
  'POST /api/v1/webhooks/{id}/test-fire': created,
};

/** The links of a response to the operations that take its id; null without any. */
export function linksOf(paths: SchemaNode, operation: string, status: number): SchemaNode | null {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([, { operationId }]) => ({ path, operationId: String(operationId) })),
  );
  const attemptPointer = status === 200 ? attemptSources[operation] : undefined;
  const links = operations.flatMap(({ path, operationId }) => {
    if (path === redeliver) {
      if (attemptPointer === undefined) return [];
      const attemptId = `$response.body#${attemptPointer}`;
      return [{ operationId, parameters: { id: '$request.path.id', attemptId } }];
    }
    const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
    return idSources
      .filter(([at, on, , start]) => at === operation && on === status && path.startsWith(start))
      .map(([, , pointer]) => ({
        operationId,
        parameters: { [parameter]: `$response.body#${pointer}` },
      }));
  });
  if (links.length === 0) return null;
  return Object.fromEntries(links.map((link) => [link.operationId, link]));
}
