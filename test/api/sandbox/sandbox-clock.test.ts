import { expect, vi } from 'vitest';
import { refusal } from '../../support/api/api.ts';
import { holdLock } from '../../support/database/locks.ts';
import { parsedResponse } from '../error-codes/http.ts';
import { rawResponse } from '../error-codes/slow-app.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { endByReset, hourMs } from '../../workflows/clock-advance/clock-fixture.ts';
import { sandboxTest as test } from './sandbox-fixture.ts';

test('advances by a duration, and names the target (D132)', async ({ gateway, sandbox }) => {
  const { act, vendor } = sandbox;
  const read = async () => (await act('/clock', undefined, 'GET')).payload;
  expect(await read()).toMatchObject({ state: 'Ready', stopReason: null });
  const begunMs = Date.now();
  const response = await act('/clock', { advanceBy: 'PT72H' });
  expect(response).toMatchObject({
    status: 202,
    payload: { state: 'Advancing', stopReason: null },
  });
  const { now, target } = response.payload as { now: string; target: string };
  expect(Date.parse(now)).toBeGreaterThanOrEqual(begunMs - 1000);
  expect((Date.parse(target) - Date.parse(now)) / 3_600_000).toBeCloseTo(72, 2);
  expect(await read()).toMatchObject({ state: 'Advancing', target });
  const messages = await gateway.sql`
    select kind from outbox where subject_id = ${vendor.vendorId}`;
  expect(messages).toEqual([{ kind: 'clockAdvance' }]);
});

test('counts stops and what is left, and names the next due instant (D175)', async ({
  gateway: { sql },
  sandbox: { act, vendor },
}) => {
  const { vendorId } = vendor;
  const read = async () => (await act('/clock', undefined, 'GET')).payload;
  const progress = { state: 'Ready', stops: 0, left: 0 };
  expect(await read()).toMatchObject({ ...progress, nextDue: null });
  const times = { startMs: 24 * hourMs, windowMs: 72 * hourMs, closingMs: 24 * hourMs };
  const request = await seedReturn(sql, { vendorId, variantId: await seedVariant(sql), times });
  const { receivedAt } = await moveReturnTo(sql, request, 'Received');
  const nextDue = new Date((receivedAt?.getTime() ?? 0) + 24 * hourMs).toISOString();
  expect(await read()).toMatchObject({ ...progress, nextDue });
  // The start, the announcement and the end of the window.
  for (const [advanceBy, left] of [
    ['PT23H', 0],
    ['PT73H', 2],
    ['PT97H', 3],
  ]) {
    const { payload } = await act('/clock', { advanceBy });
    expect(payload).toMatchObject({ state: 'Advancing', stops: 0, left, nextDue });
    await endByReset(sql, vendorId);
  }
});

test.for(['-PT1H', 'PT0S', 'P31D', '72h', 'P1M', 'PT1.5H', '', 72, null, undefined])(
  'returns 400 for an advance by %j, and names the form',
  async (advanceBy, { sandbox: { act } }) => {
    const response = await act('/clock', { advanceBy });
    expect(response).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(JSON.stringify(response.details)).toContain('PT72H');
  },
);

test('refuses a second advance until the first one has ended', async ({ gateway, sandbox }) => {
  const advance = () => sandbox.act('/clock', { advanceBy: 'PT1H' });
  const responses = await Promise.all([advance(), advance(), advance()]);
  const refused = refusal('BUSINESS_SANDBOX_CLOCK_ADVANCING', expect.anything());
  expect(responses.filter(({ status }) => status !== 202)).toMatchObject([refused, refused]);
  await endByReset(gateway.sql, sandbox.vendor.vendorId);
  expect((await advance()).status).toBe(202);
});

test('limits a clock to 365 days ahead', async ({ gateway, sandbox: { act, vendor } }) => {
  await gateway.sql`
    update vendors set clock_offset = '8755:00:00' where id = ${vendor.vendorId}`;
  expect(await act('/clock', { advanceBy: 'PT6H' })).toMatchObject(
    refusal('BUSINESS_SANDBOX_CLOCK_LIMIT', { left: 'PT5H' }),
  );
  expect((await act('/clock', { advanceBy: 'PT5H' })).status).toBe(202);
});

/** How many hours an instant is from now. */
const aheadOf = (time: unknown) =>
  Math.round(Math.abs(Date.parse(String(time)) - Date.now()) / 3_600_000);

test('sends the time of the caller’s clock with each response', async ({ gateway, sandbox }) => {
  const { app, sql } = gateway;
  await sql`
    update vendors set clock_offset = '720:00:00' where id = ${sandbox.vendor.vendorId}`;
  for (const path of ['/offers', '/offers/none']) {
    // The first read of the clock may be late.
    await vi.waitFor(async () => {
      const { headers } = await sandbox.send('GET', path);
      expect(aheadOf(headers['x-sandbox-time'])).toBe(720);
    }, 20_000);
  }
  const raw = ['nonsense', 'CONNECT x:80 HTTP/1.1\r\nhost: x'].map(async (line) =>
    parsedResponse(await rawResponse(gateway, `${line}\r\n\r\n`)),
  );
  const routed = ['/ready', '/nowhere', '/api/v1/webhooks/%zz'].map((url) => app.inject(url));
  for (const { headers } of await Promise.all([...routed, ...raw]))
    expect(aheadOf(headers['x-sandbox-time'])).toBe(0);
  // While Postgres does not answer, a refusal is not late, and has the clock as it was last read.
  const release = await holdLock(sql, sql`lock table vendors`);
  const begun = performance.now();
  const { status, headers } = await sandbox.send('POST', '/offers', {});
  expect(performance.now() - begun).toBeLessThan(2000);
  await release();
  expect([status, aheadOf(headers['x-sandbox-time'])]).toEqual([400, 720]);
});
