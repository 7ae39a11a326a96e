import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { call } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });
const path = '/api/v1/sandbox/clock';

test('D132: the clock advances by a duration, and the answer names its target', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway, { capabilities: ['Stock'] });
  expect((await call(gateway, 'GET', path, { token })).payload).toMatchObject({
    state: 'Ready',
    stopReason: null,
  });
  const begunMs = Date.now();
  const answer = await call(gateway, 'POST', path, { token, body: { advanceBy: 'PT72H' } });
  expect(answer).toMatchObject({ status: 202, payload: { state: 'Advancing', stopReason: null } });
  const { now, target } = answer.payload as { now: string; target: string };
  expect(Date.parse(now)).toBeGreaterThanOrEqual(begunMs - 1000);
  expect((Date.parse(target) - Date.parse(now)) / 3_600_000).toBeCloseTo(72, 2);
  expect((await call(gateway, 'GET', path, { token })).payload).toMatchObject({
    state: 'Advancing',
    target,
  });
  const [message] = await gateway.sql`select kind from outbox where subject_id = ${vendorId}`;
  expect(message).toEqual({ kind: 'clockAdvance' });
});

test.for(['-PT1H', 'PT0S', 'P31D', '72h', 'P1M', ''])(
  'an advance by %s is 400, and the message names the form',
  async (advanceBy, { gateway }) => {
    const { token } = await newVendor(gateway);
    const answer = await call(gateway, 'POST', path, { token, body: { advanceBy } });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(JSON.stringify(answer.details)).toContain('PT72H');
  },
);

test('each answer of a sandbox has the time of the caller’s clock', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  await gateway.sql`update vendors set clock_offset = '720:00:00' where id = ${vendorId}`;
  const aheadOf = async (url: string, given: { token?: string } = {}) => {
    const { headers } = await call(gateway, 'GET', url, given);
    const aheadMs = Date.parse(String(headers['x-sandbox-time'])) - Date.now();
    return Math.round(Math.abs(aheadMs) / 3_600_000);
  };
  expect(await aheadOf('/api/v1/vendor/profile', { token })).toBe(720);
  expect(await aheadOf('/api/v1/scent/offers/none', { token })).toBe(720);
  expect(await aheadOf('/ready')).toBe(0);
  expect(await aheadOf('/nowhere')).toBe(0);
});
