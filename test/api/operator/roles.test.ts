import { expect } from 'vitest';
import { operatorRoles, type OperatorRole } from '../../../domain/accounts/operator-roles.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call, refusal, unknownId, type Method } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const id = unknownId();

/** Where several roles are enough, a refusal names the first. */
type Needed = OperatorRole | readonly [OperatorRole, ...OperatorRole[]];
const staff = ['Reviewer', 'Operations'] as const;

test.for<readonly [Method, string, Needed]>([
  ['POST', '/vendors', 'Admin'],
  ['GET', '/vendors', staff],
  ['GET', `/vendors/${id}`, staff],
  ['GET', `/vendors/${id}/summary`, staff],
  ['PATCH', `/vendors/${id}/active`, 'Admin'],
  ['PATCH', `/vendors/${id}/agreement`, 'Admin'],
  ['POST', `/vendors/${id}/credentials`, 'Admin'],
  ['GET', `/vendors/${id}/credentials`, 'Admin'],
  ['PATCH', `/credentials/${id}/active`, 'Admin'],
  ['GET', '/audit', 'Admin'],
  ['GET', `/audit?operatorId=${id}`, 'Admin'],
  ['GET', `/audit?subjectId=${id}`, staff],
  ['GET', '/doctor', 'Admin'],
  ['POST', '/operators', 'Admin'],
  ['POST', '/variants', 'Reviewer'],
  ['PATCH', `/variants/${id}/active`, 'Admin'],
  ['GET', '/variants', staff],
  ['GET', `/variants/${id}`, staff],
  ['GET', `/variants/${id}/offers`, 'Reviewer'],
  ['GET', `/offers/${id}/candidates`, 'Reviewer'],
  ['GET', '/offers', 'Reviewer'],
  ['GET', `/offers/${id}`, 'Reviewer'],
  ...'approve reject pending-price/apply pending-price/discard return-to-review suspend reinstate'
    .split(' ')
    .map((move) => ['POST', `/offers/${id}/${move}`, 'Reviewer'] as const),
  ['POST', `/vendors/${id}/offers`, 'Admin'],
  ['POST', '/orders', 'Operations'],
  ['GET', '/orders', 'Operations'],
  ['GET', `/orders/ord_${id}`, 'Operations'],
  ['POST', `/groups/${id}/assign`, 'Operations'],
  ['PATCH', `/groups/${id}`, 'Operations'],
  ['POST', '/returns', 'Operations'],
  ['GET', '/upcoming', 'Operations'],
  ['GET', '/statistics', staff],
  ['GET', '/returns', 'Operations'],
  ['GET', `/returns/${id}`, 'Operations'],
  ...'approve reject in-transit received start-inspection decide refund-released withdraw close'
    .split(' ')
    .map((move) => ['POST', `/returns/${id}/${move}`, 'Operations'] as const),
  ['GET', '/jobs', staff],
  ['POST', `/jobs/${id}/cancel`, 'Operations'],
  ['POST', '/review-jobs', 'Reviewer'],
  ['GET', '/review-jobs', staff],
  ['GET', `/review-jobs/${id}`, staff],
  ['GET', `/review-jobs/${id}/results`, staff],
  ['POST', `/review-jobs/${id}/cancel`, 'Reviewer'],
  ['GET', '/webhook-deliveries', 'Operations'],
  ['GET', `/webhook-deliveries/${id}`, 'Operations'],
  ['GET', `/webhook-deliveries/${id}/attempts`, 'Operations'],
  ['POST', `/webhook-deliveries/${id}/redeliver`, 'Operations'],
  ['POST', '/webhook-deliveries/recover', 'Operations'],
  ['GET', '/webhook-subscriptions', 'Operations'],
] as const)(
  '%s %s needs the role %s or Admin (D137)',
  async ([method, path, needed], { gateway }) => {
    const enough: readonly OperatorRole[] = typeof needed === 'string' ? [needed] : needed;
    for (const role of operatorRoles) {
      const { token } = await newOperator(gateway, [role]);
      const body = method === 'GET' ? undefined : { unknown: 1 };
      const answer = await call(gateway, method, `/operator/v1${path}`, { token, body });
      if (enough.includes(role) || role === 'Admin') expect(answer.status).not.toBe(403);
      else expect(answer).toMatchObject(refusal('FORBIDDEN', { requiredRole: enough[0] }));
    }
  },
);
