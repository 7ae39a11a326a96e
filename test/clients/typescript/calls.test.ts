import { expect, expectTypeOf, onTestFinished } from 'vitest';
import { VendorGatewayError } from '../../../clients/typescript/src/core/errors.ts';
import type { FieldError } from '../../../clients/typescript/src/core/error-details.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { startTestReceiver } from '../../support/webhooks/receiver.ts';
import { clientTest as test, logIn } from './client-fixture.ts';

/** What a call rejects with. */
const failureOf = (call: Promise<unknown>): Promise<VendorGatewayError> =>
  call.then(
    () => expect.unreachable(),
    (error: VendorGatewayError) => error,
  );

test('returns an amount exact to the halala, as a number', async ({ clients }) => {
  const { client } = clients.connect();
  const cost = 1_234_567.89;
  const made = await client.offers.create({ ...freeFormOffer, cost });
  expectTypeOf(made.cost).toEqualTypeOf<number>();
  expect(made.cost).toBe(cost);
  expect((await client.offers.get(made.id)).cost?.amount).toBe(cost);
  const pushed = await client.offers.pushCost(made.id, { cost: 0.07, costIsVatInclusive: false });
  expect(pushed.cost?.amount).toBe(0.07);
});

test('returns the same offer for a repeated create with an external id', async ({ clients }) => {
  const { client } = clients.connect();
  const offer = { ...freeFormOffer, vendorExternalId: 'amber-50' };
  const made = await client.offers.create(offer);
  const again = await client.offers.create(offer);
  expect(again).toEqual(made);
  expectTypeOf(again.existing).toEqualTypeOf<boolean>();
  expect([made.existing, again.existing]).toEqual([false, true]);
  expect(JSON.stringify(again)).not.toContain('"existing"');
});

test('types the details of an error by its state', async ({ clients }) => {
  const { client } = clients.connect();
  const error = await failureOf(client.offers.create({ cost: 1, costIsVatInclusive: false }));
  expect(error).toBeInstanceOf(VendorGatewayError);
  if (error.state !== 'VALIDATION_ERRORS') throw new Error(error.state);
  expectTypeOf(error.details.errors).toExtend<readonly FieldError[]>();
  expectTypeOf(error.details.help).toEqualTypeOf<string>();
  expect(error.details.help).toBe('/docs/errors#validation_errors');
  expect(error.details.errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
    'RawBrandName required',
    'RawProductName required',
  ]);
  expect(error).toMatchObject({ status: 400, requestId: expect.stringMatching(/./) });
  expect(error.message).toMatch(
    /^POST \/api\/v1\/scent\/offers: VALIDATION_ERRORS \(400\): RawBrandName is required.*; RawProductName is/,
  );

  const unknown = await failureOf(client.offers.get(unknownId()));
  expect(unknown).toMatchObject({ state: 'NOT_FOUND_VENDOR_OFFER', status: 404 });
  const missing = await failureOf(client.webhooks.get(unknownId()));
  expect(missing.state).toBe('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
});

test('says in the message what was expected and received', async ({ clients }) => {
  const { client } = clients.connect();
  const list = client.http.GET('/api/v1/scent/offers', {
    params: { query: { changedSince: 'yesterday' } },
  });
  expect((await failureOf(list)).message).toMatch(
    /VALIDATION_INVALID_DATE \(400\): changedSince: .*expected .*received yesterday/,
  );
  const pages = client.http.GET('/api/v1/scent/offers', { params: { query: { pageSize: 500 } } });
  expect((await failureOf(pages)).message).toMatch(/pageSize: at least 1; at most 100/);
});

test('shows the whole message of a refusal, which ends with what to do', async ({ clients }) => {
  const { client } = clients.connect();
  const url = 'http://127.0.0.1:9/hook';
  const create = client.webhooks.create({ url, eventTypes: ['vendor.order.assigned'] });
  expect((await failureOf(create)).message).toMatch(/ to WEBHOOK_ALLOWED_ORIGINS\.$/);
});

test('ends a call at an abort with the reason of its signal', async ({ clients }) => {
  const stop = new AbortController();
  const { client, calls } = clients.connect((request) => {
    if (request.method === 'GET') stop.abort(new Error('stopped'));
    return undefined;
  });
  const call = client.profile.get({ signal: stop.signal });
  await expect(call).rejects.toThrow('stopped');
  await expect(client.profile.get({ signal: stop.signal })).rejects.toThrow('stopped');
  expect(calls).toEqual([logIn, 'GET /api/v1/vendor/profile']);
});

test('reports a call without a response in time as a failed connection', async ({ clients }) => {
  const receiver = await startTestReceiver();
  onTestFinished(() => receiver.close());
  // The time ends after a garbage collection too.
  receiver.answerWith(() => setTimeout(collectGarbage, 50));
  const loggedIn = { state: 'SUCCESS', payload: { accessToken: '', expiresIn: 300 }, details: {} };
  const { client } = clients.connect(
    ({ method }) => (method === 'POST' ? Response.json(loggedIn) : undefined),
    { baseUrl: receiver.origin, retry: { timeoutMs: 500 } },
  );
  const details = { reason: 'TimeoutError' };
  const failure = await failureOf(client.profile.get());
  expect(failure).toMatchObject({ state: 'CONNECTION_FAILED', status: 0, details });
});

test.for(['', '.', '..'])(
  "refuses the id '%s' before it sends anything",
  async (id, { clients }) => {
    const { client, calls } = clients.connect();
    await expect(client.offers.get(id)).rejects.toThrow(TypeError);
    await expect(client.webhooks.delete(id)).rejects.toThrow(TypeError);
    expect(calls).toEqual([]);
  },
);
