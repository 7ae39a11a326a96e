import { expect } from 'vitest';
import { buildApp } from '../../../../api/app.ts';
import { connect } from '../../../../db/core/client.ts';
import { TemporalUnavailable } from '../../../../temporal/temporal-failures.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { memoryLog } from '../../../support/gateway/leaks.ts';
import { seedOffer } from '../../../support/seeds/seed.ts';
import { newOperator, newVendor } from '../../../support/api/actors.ts';

/** What an operator needs to find the call, the caller and the workflow of a failed request. */
async function loggedApp(dependencies: Parameters<typeof buildApp>[0]) {
  const { log, lines } = memoryLog();
  const app = await buildApp(dependencies, {
    log,
    version: '0.0.0',
    trustProxy: [],
    handlerTimeoutMs: 15_000,
  });
  const failed = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'a request failed');
  return { app, failed, lines };
}

const away = () => Promise.reject(new TemporalUnavailable({ cause: new Error('refused') }));

test('logs a failed decision with operator and workflow', async ({ gateway }) => {
  const [{ vendorId }, operator] = await Promise.all([newVendor(gateway), newOperator(gateway)]);
  const offer = await seedOffer(gateway.sql, vendorId);
  const { app, failed, lines } = await loggedApp({
    ...gateway.dependencies,
    decisions: { decideOffer: away, decideReturn: away },
  });
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `/operator/v1/offers/${offer.id}/reject`,
    headers: { authorization: `Bearer ${operator.token}`, 'x-request-id': 'call-1' },
    payload: { reason: 'a private reason' },
  });
  await app.close();
  expect(statusCode).toBe(503);
  expect(failed()).toMatchObject([
    {
      level: 50,
      code: 'SERVICE_UNAVAILABLE',
      requestId: 'call-1',
      route: 'POST /operator/v1/offers/:id/reject',
      operatorId: operator.operatorId,
      subjectId: offer.id,
      workflowId: `offer-review/${offer.id}`,
      err: { type: 'TemporalUnavailable', cause: { message: 'refused' } },
    },
  ]);
  for (const secret of [operator.token, 'a private reason'])
    expect(lines.join('')).not.toContain(secret);
});

test('logs a failed call with its vendor only', async ({ gateway }) => {
  const { token, vendorId, credentialId } = await newVendor(gateway);
  const unreachable = connect('postgres://127.0.0.1:1/none', { max: 1, name: 'away' });
  const { app, failed } = await loggedApp({ ...gateway.dependencies, sql: unreachable });
  await app.inject({
    method: 'GET',
    url: '/api/v1/vendor/profile',
    headers: { authorization: `Bearer ${token}` },
  });
  await app.close();
  await unreachable.end({ timeout: 0 });
  const [line] = failed();
  expect(line).toMatchObject({ route: 'GET /api/v1/vendor/profile', vendorId, credentialId });
  expect(line).not.toHaveProperty('subjectId');
  expect(line).not.toHaveProperty('workflowId');
});
