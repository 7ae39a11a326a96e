import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, refusal, type Answer } from '../../support/api/api.ts';

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  callsPerVendor: createRateLimit(100),
  pushesPerVendor: createRateLimit(1000),
  bulkItemsPerVendor: createRateLimit(10_000),
}));

const left = ({ headers }: Answer) => [headers['ratelimit-limit'], headers['ratelimit-remaining']];
const stock = { declaredInStock: true };
const offerId = '00000000-0000-4000-8000-000000000000';
const items = (count: number) => Array.from({ length: count }, () => ({ offerId, ...stock }));

test('counts a preview as general calls, one for each 20 items, and not as pushes', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const push = (path: string, body: unknown) =>
    call(gateway, 'PATCH', `/api/v1/scent/offers${path}`, { token, body });
  expect(left(await push(`/${offerId}/stock?validateOnly=true`, stock))).toEqual(['100', '99']);
  expect(left(await push('/stock?validateOnly=true', { items: items(41) }))).toEqual(['100', '96']);
  expect(left(await push(`/${offerId}/stock`, stock))).toEqual(['1000', '999']);
  expect(left(await push('/stock', { items: items(41) }))).toEqual(['10000', '9959']);
  const most = await push('/stock?validateOnly=true', { items: items(1000) });
  expect(left(most)).toEqual(['100', '46']);
  const refused = await push('/stock?validateOnly=true', { items: items(1000) });
  expect(refused).toMatchObject(refusal('TOO_MANY_REQUESTS', { reason: 'CALLS', maximum: 100 }));
  expect(left(await push(`/${offerId}/stock`, stock))).toEqual(['1000', '998']);
});
