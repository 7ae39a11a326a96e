import { expect } from 'vitest';
import { operatorRoles } from '../../../domain/accounts/operator-roles.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call, refusal, unknownId, type Method } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const id = unknownId();

/**
 * The role that routes below `/operator/v1` need, and their method; `staff` is one of two roles, of
 * which a refusal names the first. `ID` stands for an id.
 */
const routes = `
  staff GET /vendors /vendors/ID /vendors/ID/summary /variants /variants/ID /statistics /jobs
  staff GET /audit?subjectId=ID /review-jobs /review-jobs/ID /review-jobs/ID/results /me
  staff PATCH /me
  staff GET /notes?subjectType=vendor&subjectId=ID
  staff POST /notes
  Admin GET /vendors/ID/credentials /audit /audit?operatorId=ID /doctor /operators
  Admin POST /vendors /vendors/ID/credentials /vendors/ID/offers
  Admin POST /operators /operators/ID/rotate-secret
  Admin PATCH /vendors/ID/active /vendors/ID/agreement /credentials/ID/active /variants/ID/active
  Admin PATCH /operators/ID/active
  Reviewer GET /offers /offers/ID /offers/ID/candidates /variants/ID/offers
  Reviewer POST /variants /offers/ID/approve /offers/ID/reject /offers/ID/return-to-review
  Reviewer POST /offers/ID/pending-price/apply /offers/ID/pending-price/discard
  Reviewer POST /offers/ID/undo
  Reviewer POST /offers/ID/suspend /offers/ID/reinstate /review-jobs /review-jobs/ID/cancel
  Operations GET /orders /orders/ID /upcoming /returns /returns/ID /webhook-subscriptions
  Operations GET /webhook-deliveries /webhook-deliveries/ID /webhook-deliveries/ID/attempts
  Operations POST /orders /orders/search /groups/ID/assign /returns /returns/ID/approve /returns/ID/reject
  Operations POST /returns/ID/in-transit /returns/ID/received /returns/ID/start-inspection
  Operations POST /returns/ID/decide /returns/ID/refund-released /returns/ID/withdraw
  Operations POST /returns/ID/close /jobs/ID/cancel
  Operations POST /webhook-deliveries/ID/redeliver /webhook-deliveries/recover
  Operations PATCH /groups/ID`
  .trim()
  .split(/\n +/)
  .flatMap((line) => {
    const [needed = '', method, ...paths] = line.split(' ');
    return paths.map((path) => [method as Method, path.replaceAll('ID', id), needed] as const);
  });

test('lists the role of each route of operators', async ({ gateway }) => {
  const own = (await walkRoutes(gateway, id)).filter((each) => each.isOperators && each.needsToken);
  const named = routes.map(([method, path]) => `${method} /operator/v1${path.split('?')[0]}`);
  expect(new Set(named)).toEqual(new Set(own.map(({ method, url }) => `${method} ${url}`)));
});

test.for(routes)('requires for %s %s the role %s or Admin (D137)', async (route, { gateway }) => {
  const [method, path, needed] = route;
  const enough = needed === 'staff' ? ['Reviewer', 'Operations'] : [needed];
  for (const role of operatorRoles) {
    const { token } = await newOperator(gateway, [role]);
    const body = method === 'GET' ? undefined : { unknown: 1 };
    const response = await call(gateway, method, `/operator/v1${path}`, { token, body });
    if (enough.includes(role) || role === 'Admin') expect(response.status).not.toBe(403);
    else expect(response).toMatchObject(refusal('FORBIDDEN', { requiredRole: enough[0] }));
  }
});
