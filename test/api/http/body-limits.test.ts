import { expect } from 'vitest';
import { jobBytesMax } from '../../../api/jobs/job-body.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const kibibyte = 1024;
const offers = '/api/v1/scent/offers';
const headers = { 'content-type': 'application/json' };

test.for([
  ['POST', '/api/v1/auth/token', 4],
  ['POST', '/operator/v1/auth/token', 4],
  ['POST', offers, 64],
  ['PATCH', `${offers}/${unknownId()}/stock`, 64],
  ['POST', '/api/v1/webhooks', 64],
  ['PATCH', `${offers}/stock`, 1024],
  ['POST', '/operator/v1/variants', 64],
  ['POST', '/operator/v1/orders', 1024],
  ['POST', '/api/v1/scent/jobs', jobBytesMax / kibibyte],
  ['POST', '/operator/v1/review-jobs', jobBytesMax / kibibyte],
] as const)(
  'refuses a body of %s %s above %i KiB',
  async ([method, path, max], { gateway, adminAccount, token: vendorToken }) => {
    const token = path.startsWith('/operator') ? adminAccount.token : vendorToken;
    const maximum = max * kibibyte;
    const send = (bytes: number) =>
      call(gateway, method, path, { token, body: ' '.repeat(bytes), headers });
    expect((await send(maximum)).status).not.toBe(413);
    expect(await send(maximum + 1)).toMatchObject(refusal('PAYLOAD_TOO_LARGE', { maximum }));
  },
);

const many = (count: number, text: string): readonly string[] =>
  Array.from({ length: count }, () => text);

/** An object with a given number of names. */
const named = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1])));

test('lists up to 100 unknown fields of a body, and refuses one with more unread', async ({
  gateway,
  token,
}) => {
  const send = (body: string) => call(gateway, 'POST', offers, { token, body, headers });
  const few = await send(named(100));
  const codes = (few.details as { errors: { code: string }[] }).errors.map(({ code }) => code);
  expect(codes.filter((code) => code === 'unknown_field').length).toBeGreaterThan(90);
  for (const body of [named(1000), `{"x":${named(1000)}}`, `{"x":[${'{},'.repeat(1000)}{}]}`])
    expect(await send(body)).toMatchObject(
      refusal('VALIDATION_ERRORS', { errors: [{ field: 'Body', path: '', code: 'too_many' }] }),
    );
});

test('refuses a bulk body with more names, objects or lists than 2,000 items have', async ({
  gateway,
  token,
}) => {
  const send = (items: readonly string[]) =>
    call(gateway, 'PATCH', `${offers}/stock`, {
      token,
      body: `{"items":[${items.join()}]}`,
      headers,
    });
  const item = JSON.stringify({ offerId: unknownId(), declaredInStock: true });
  expect((await send(many(1000, item))).status).toBe(200);
  expect(await send(many(1001, item))).toMatchObject(
    refusal('VALIDATION_ERRORS', { errors: [{ field: 'Items', code: 'too_many' }] }),
  );
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const items of [many(100_000, '{}'), many(100_000, '[]'), [deep], [named(70_000)]])
    expect(await send(items)).toMatchObject(
      refusal('VALIDATION_ERRORS', { errors: [{ field: 'Body', path: '', code: 'too_many' }] }),
    );
});
