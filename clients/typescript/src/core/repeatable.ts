/** The operations that create, once for each `Idempotency-Key`. */
const creating = [
  'POST /api/v1/scent/offers',
  'POST /api/v1/scent/returns/{id}/evidence',
  'POST /api/v1/webhooks',
  'POST /api/v1/credentials',
  'POST /api/v1/scent/jobs',
  'POST /api/v1/sandbox/clock',
  'POST /api/v1/sandbox/orders',
  'POST /api/v1/sandbox/returns',
] as const;

/**
 * The other operations that have another effect, or another response, when they are sent again
 * after a lost response: `docs/errors.md`, "a fault behind the gateway".
 */
const unrepeatable = [
  'POST /api/v1/scent/offers/{id}/submit',
  'POST /api/v1/scent/offers/{id}/withdraw',
  'POST /api/v1/scent/orders/{groupId}/pack',
  'POST /api/v1/scent/orders/{groupId}/ship',
  'PATCH /api/v1/scent/returns/{id}/received',
  'POST /api/v1/webhooks/{id}/rotate-secret',
  'POST /api/v1/webhooks/{id}/test-fire',
  'POST /api/v1/webhooks/{id}/deliveries/{attemptId}/redeliver',
  'POST /api/v1/webhooks/{id}/recover',
  'POST /api/v1/sandbox/vendors',
  'POST /api/v1/sandbox/offers/{id}/approve',
  'POST /api/v1/sandbox/offers/{id}/reject',
  'POST /api/v1/sandbox/offers/{id}/pending-price/apply',
  'POST /api/v1/sandbox/offers/{id}/pending-price/discard',
  'POST /api/v1/sandbox/offers/{id}/suspend',
  'POST /api/v1/sandbox/offers/{id}/reinstate',
  'POST /api/v1/sandbox/orders/{groupId}/deliver',
  'POST /api/v1/sandbox/orders/{groupId}/cancel',
  'POST /api/v1/sandbox/returns/{id}/approve',
  'POST /api/v1/sandbox/returns/{id}/in-transit',
  'POST /api/v1/sandbox/returns/{id}/start-inspection',
  'POST /api/v1/sandbox/returns/{id}/decide',
  'POST /api/v1/sandbox/returns/{id}/refund-released',
  'POST /api/v1/sandbox/returns/{id}/close',
] as const;

const repeatable = [
  'POST /api/v1/auth/token',
  'PATCH /api/v1/scent/offers/{id}',
  'PATCH /api/v1/scent/offers/{id}/cost',
  'PATCH /api/v1/scent/offers/{id}/sale-price',
  'PATCH /api/v1/scent/offers/{offerId}/stock',
  'PATCH /api/v1/scent/offers/stock',
  'POST /api/v1/scent/jobs/{id}/cancel',
  'POST /api/v1/scent/jobs/{id}/revert',
  'PATCH /api/v1/scent/orders/{groupId}',
  'PATCH /api/v1/scent/returns/{id}/inspection/propose',
  'PATCH /api/v1/webhooks/{id}/active',
  'PATCH /api/v1/credentials/{id}/active',
  'PATCH /api/v1/vendor/profile',
  'POST /api/v1/sandbox/reset',
] as const;

const repeatableOperations = new Set<string>(repeatable);
const creatingOperations = new Set<string>(creating);
const repeatableMethods = new Set(['GET', 'PUT', 'DELETE']);

/** The POST and PATCH operations that are classified. */
export const classifiedOperations: readonly string[] = [
  ...creating,
  ...unrepeatable,
  ...repeatable,
];

const createOffer = 'POST /api/v1/scent/offers';

function hasExternalId(body: string): boolean {
  const { vendorExternalId }: { readonly vendorExternalId?: unknown } = JSON.parse(body) as object;
  // A blank text is no id.
  return typeof vendorExternalId === 'string' && vendorExternalId.trim() !== '';
}

/**
 * Whether the operation may be sent again when it is unknown whether the gateway carried it out.
 */
export function isRepeatable(
  operation: { readonly method: string; readonly schemaPath: string },
  sent: { readonly body: string; readonly hasKey: boolean },
): boolean {
  const { method, schemaPath } = operation;
  const name = `${method} ${schemaPath}`;
  if (creatingOperations.has(name)) {
    // An offer's own id is a key too.
    return sent.hasKey || (name === createOffer && hasExternalId(sent.body));
  }
  return repeatableMethods.has(method) || repeatableOperations.has(name);
}
