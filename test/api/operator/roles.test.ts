import { expect } from 'vitest';
import { operatorRoles, type OperatorRole } from '../../../domain/accounts/operator-roles.ts';
import { newOperator } from '../support/actors.ts';
import { call, refusal, unknownId, type Method } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const id = unknownId();

test.for<readonly [Method, string, OperatorRole]>([
  ['POST', '/vendors', 'Admin'],
  ['GET', '/vendors', 'Admin'],
  ['GET', `/vendors/${id}`, 'Admin'],
  ['PATCH', `/vendors/${id}/active`, 'Admin'],
  ['PATCH', `/vendors/${id}/agreement`, 'Admin'],
  ['POST', `/vendors/${id}/credentials`, 'Admin'],
  ['GET', `/vendors/${id}/credentials`, 'Admin'],
  ['PATCH', `/credentials/${id}/active`, 'Admin'],
  ['GET', '/audit', 'Admin'],
  ['GET', '/doctor', 'Admin'],
  ['POST', '/operators', 'Admin'],
  ['POST', '/variants', 'Admin'],
  ['PATCH', `/variants/${id}/active`, 'Admin'],
  ['GET', '/variants', 'Reviewer'],
  ['GET', '/offers', 'Reviewer'],
  ['GET', `/offers/${id}`, 'Reviewer'],
  ['POST', `/offers/${id}/approve`, 'Reviewer'],
  ['POST', `/offers/${id}/reject`, 'Reviewer'],
  ['POST', `/offers/${id}/pending-price/apply`, 'Reviewer'],
  ['POST', `/offers/${id}/pending-price/discard`, 'Reviewer'],
  ['POST', `/offers/${id}/suspend`, 'Reviewer'],
  ['POST', `/offers/${id}/reinstate`, 'Reviewer'],
  ['POST', `/vendors/${id}/offers`, 'Admin'],
  ['POST', '/orders', 'Operations'],
  ['POST', `/groups/${id}/assign`, 'Operations'],
  ['PATCH', `/groups/${id}`, 'Operations'],
  ['POST', '/returns', 'Operations'],
  ['GET', '/returns', 'Operations'],
  ['GET', `/returns/${id}`, 'Operations'],
  ...[
    'approve',
    'reject',
    'in-transit',
    'received',
    'start-inspection',
    'decide',
    'refund-released',
    'withdraw',
    'close',
  ].map((path) => ['POST', `/returns/${id}/${path}`, 'Operations'] as const),
  ['POST', `/jobs/${id}/cancel`, 'Operations'],
  ['POST', '/review-jobs', 'Reviewer'],
  ['GET', '/review-jobs', 'Reviewer'],
  ['GET', `/review-jobs/${id}`, 'Reviewer'],
  ['GET', `/review-jobs/${id}/results`, 'Reviewer'],
  ['POST', `/review-jobs/${id}/cancel`, 'Reviewer'],
  ['GET', '/webhook-deliveries', 'Operations'],
  ['POST', `/webhook-deliveries/${id}/redeliver`, 'Operations'],
  ['POST', '/webhook-deliveries/recover', 'Operations'],
  ['GET', '/webhook-subscriptions', 'Operations'],
] as const)('%s %s needs the role %s or Admin', async ([method, path, needed], { gateway }) => {
  for (const role of operatorRoles) {
    const { token } = await newOperator(gateway, [role]);
    const body = method === 'GET' ? undefined : { unknown: 1 };
    const answer = await call(gateway, method, `/operator/v1${path}`, { token, body });
    if (role === needed || role === 'Admin') expect(answer.status).not.toBe(403);
    else expect(answer).toMatchObject(refusal('FORBIDDEN', { requiredRole: needed }));
  }
});
