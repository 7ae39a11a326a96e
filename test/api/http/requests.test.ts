import { expect } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { TemporalUnavailable } from '../../../temporal/temporal-failures.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { uuid } from '../../support/api/matchers.ts';
import { poolTo } from '../error-codes/dependencies.ts';
import { appWith } from '../error-codes/slow-app.ts';

const urls = [
  '/api/v1/webhooks',
  '/nope',
  '/api/v1/webhooks/%zz',
  '/operator/v1/vendors',
  '/health',
];
const idFor = async (gateway: Gateway, url: string, headers: Record<string, string> = {}) =>
  (await call(gateway, 'GET', url, { headers })).headers['x-request-id'];

test('returns a valid request id, and replaces an invalid one', async ({ gateway }) => {
  for (const url of urls) {
    for (const id of ['a', "!#$%&'*+-.^_`|~09azAZ", 'x'.repeat(128)])
      expect(await idFor(gateway, url, { 'x-request-id': id })).toBe(id);
    for (const id of ['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'a"b', '<script>', 'ü', 'a\tb'])
      expect(await idFor(gateway, url, { 'x-request-id': id }), id).toEqual(uuid);
  }
});

test('generates a request id when the caller sends none', async ({ gateway }) => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => idFor(gateway, '/nope')));
  expect(new Set(ids).size).toBe(20);
});

/** An app of such dependencies, its log, and the lines about failed requests. */
async function loggedApp({ dependencies }: Gateway, broken: Partial<Dependencies>) {
  const { log, lines } = memoryLog();
  const app = await appWith({ ...dependencies, ...broken }, { log });
  const failed = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'a request failed');
  return { app, failed, lines };
}

const away = () => Promise.reject(new TemporalUnavailable({ cause: new Error('refused') }));

test('logs a failed decision with operator and workflow', async ({
  gateway,
  adminAccount: { operatorId, token },
}) => {
  const { vendorId } = await newVendor(gateway);
  const { id } = await seedOffer(gateway.sql, vendorId);
  const decisions = { decideOffer: away, decideReturn: away };
  const { app, failed, lines } = await loggedApp(gateway, { decisions });
  const headers = { 'x-request-id': 'call-1' };
  const body = { reason: 'a private reason' };
  const url = `/operator/v1/offers/${id}/reject`;
  expect((await call(app, 'POST', url, { token, body, headers })).status).toBe(503);
  expect(failed()).toMatchObject([
    {
      level: 50,
      code: 'SERVICE_UNAVAILABLE',
      requestId: 'call-1',
      route: 'POST /operator/v1/offers/:id/reject',
      operatorId,
      subjectId: id,
      workflowId: `offer-review/${id}`,
      err: { type: 'TemporalUnavailable', cause: { message: 'refused' } },
    },
  ]);
  for (const secret of [token, body.reason]) expect(lines.join('')).not.toContain(secret);
});

test('logs a failed call with vendor and credential only', async ({ gateway }) => {
  const { token, vendorId, credentialId } = await newVendor(gateway);
  const sql = poolTo('postgres://127.0.0.1:1/none');
  const { app, failed } = await loggedApp(gateway, { sql });
  await call(app, 'GET', '/api/v1/vendor/profile', { token });
  // A 4xx is no failure of the gateway.
  expect((await call(app, 'GET', '/api/v1/vendor/profile?x=1', { token })).status).toBe(400);
  const [line, ...others] = failed();
  expect(others).toEqual([]);
  expect(line).toMatchObject({ route: 'GET /api/v1/vendor/profile', vendorId, credentialId });
  expect(line).not.toHaveProperty('subjectId');
  expect(line).not.toHaveProperty('workflowId');
});
