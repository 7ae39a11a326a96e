import { expect } from 'vitest';
import { endAdvance } from '../../../db/clock/clock-advances.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });
const path = '/api/v1/sandbox/clock';

test('BUSINESS_SANDBOX_CLOCK_ADVANCING: a second advance waits for the end of the first', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  const advance = () => call(gateway, 'POST', path, { token, body: { advanceBy: 'PT1H' } });
  const answers = await Promise.all([advance(), advance(), advance()]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    202, 422, 422,
  ]);
  expect(answers.find(({ status }) => status === 422)).toMatchObject({
    state: 'BUSINESS_SANDBOX_CLOCK_ADVANCING',
  });
  await endAdvance(gateway.sql, vendorId, null);
  expect((await advance()).status).toBe(202);
});

test('BUSINESS_SANDBOX_CLOCK_LIMIT: a clock is at most 365 days ahead', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  await gateway.sql`update vendors set clock_offset = '8755:00:00' where id = ${vendorId}`;
  const refused = await call(gateway, 'POST', path, { token, body: { advanceBy: 'PT6H' } });
  expect(refused).toMatchObject({
    status: 422,
    state: 'BUSINESS_SANDBOX_CLOCK_LIMIT',
    details: { left: 'PT5H' },
  });
  const last = await call(gateway, 'POST', path, { token, body: { advanceBy: 'PT5H' } });
  expect(last.status).toBe(202);
});
