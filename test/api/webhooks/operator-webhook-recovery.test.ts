import { expect } from 'vitest';
import { operatorRoles } from '../../../domain/accounts/operator-roles.ts';
import { newOperator, type TestOperator } from '../support/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  begin,
  delivered,
  emit,
  firedSample,
  newWebhookFixture,
  record,
  storedDelivery,
  type WebhookFixture,
} from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly gateway: Gateway;
  readonly operator: TestOperator;
  readonly fixture: WebhookFixture;
  readonly id: string;
};

const test = gatewayTest
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Operations']))
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

const post = (
  gateway: Gateway,
  operator: TestOperator,
  path: string,
  body?: unknown,
  token = operator.token,
) =>
  call(gateway, 'POST', `/operator/v1/webhook-deliveries${path}`, {
    token,
    body,
    headers: { 'x-request-id': 'req-1' },
  });
const redeliver = (gateway: Gateway, operator: TestOperator, deliveryId: string) =>
  post(gateway, operator, `/${deliveryId}/redeliver`);
const since = '2026-01-01T00:00:00Z';
const recover = (
  { gateway, operator, id }: Pick<Fixtures, 'gateway' | 'operator' | 'id'>,
  subscriptionId = id,
  from: unknown = since,
) => post(gateway, operator, '/recover', { subscriptionId, since: from });
const deliver = (
  { gateway, fixture, id }: Pick<Fixtures, 'gateway' | 'fixture' | 'id'>,
  state: 'waiting' | 'succeeded' | 'deadLettered',
  at = id,
) => delivered(gateway.sql, fixture.vendor.vendorId, at, state);
const refused = (reason: string) =>
  refusal('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE', { reason });
/** The entries of operators; those of the vendor who makes the subscription are not asked for. */
const auditOf = (gateway: Gateway, subjectId: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after from audit_log
  where subject_id = ${subjectId} and operator_id is not null order by id`;
/** A dead letter of that instant. */
async function deadLetterAt(
  { gateway, fixture, id }: Pick<Fixtures, 'gateway' | 'fixture' | 'id'>,
  at: string,
): Promise<string> {
  const deliveryId = await emit(gateway.sql, fixture.vendor.vendorId, id);
  await record(gateway.sql, await begin(gateway.sql, deliveryId), 'deadLettered', at);
  return deliveryId;
}

test('a redelivery answers the listed delivery, signals its run and writes an audit entry', async ({
  gateway,
  operator,
  fixture,
  id,
}) => {
  const { deliveryId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  const answer = await redeliver(gateway, operator, deliveryId.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({
    id: deliveryId,
    state: 'waiting',
    attemptCount: 1,
    deadLetteredAt: null,
    workflow: { workflowId: `webhook-delivery/${deliveryId}` },
  });
  const url = `/operator/v1/webhook-deliveries?vendorId=${fixture.vendor.vendorId}`;
  const [listed] = itemsOf(await call(gateway, 'GET', url, { token: operator.token }));
  expect(answer.payload).toStrictEqual(listed);
  expect((await storedDelivery(gateway.sql, deliveryId)).signals).toEqual(['start', 'redeliver']);
  expect(await auditOf(gateway, deliveryId)).toEqual([
    {
      operatorId: operator.id,
      action: 'delivery.redeliver',
      subjectType: 'delivery',
      requestId: 'req-1',
      before: { state: 'deadLettered', attemptCount: 1 },
      after: { state: 'waiting', attemptCount: 1 },
    },
  ]);
});

test('the refusal of a waiting, an inactive or a sample delivery writes no audit entry', async ({
  gateway,
  operator,
  fixture,
  id,
}) => {
  const { deliveryId: waiting } = await deliver({ gateway, fixture, id }, 'waiting');
  const { deliveryId: dead } = await deliver({ gateway, fixture, id }, 'deadLettered');
  const { deliveryId: sample } = await firedSample(gateway.sql, fixture.vendor.vendorId, id);
  expect(await redeliver(gateway, operator, waiting)).toMatchObject(refused('WAITING'));
  expect(await redeliver(gateway, operator, sample)).toMatchObject(refused('TEST'));
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await redeliver(gateway, operator, dead)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await fixture.send('DELETE', `/${id}`);
  expect(await redeliver(gateway, operator, dead)).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  for (const deliveryId of [waiting, dead, sample])
    expect(await auditOf(gateway, deliveryId)).toEqual([]);
});

test('an unknown delivery, an attempt’s id and no uuid are 404', async ({
  gateway,
  operator,
  fixture,
  id,
}) => {
  const { attemptId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  for (const unknown of [unknownId(), attemptId, '1', 'recover']) {
    expect(await redeliver(gateway, operator, unknown)).toMatchObject(
      refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY'),
    );
  }
});

test('a recovery redelivers exactly the dead letters since an instant', async ({
  gateway,
  operator,
  fixture,
  id,
}) => {
  const early = await deadLetterAt({ gateway, fixture, id }, '2026-01-01T09:59:59.999Z');
  const exact = await deadLetterAt({ gateway, fixture, id }, '2026-01-01T10:00:00.000Z');
  const late = await deadLetterAt({ gateway, fixture, id }, '2026-02-01T00:00:00.000Z');
  const { deliveryId: succeeded } = await deliver({ gateway, fixture, id }, 'succeeded');
  const { deliveryId: waiting } = await deliver({ gateway, fixture, id }, 'waiting');
  const { deliveryId: sample } = await firedSample(gateway.sql, fixture.vendor.vendorId, id);
  const { deliveryId: elsewhere } = await deliver(
    { gateway, fixture, id },
    'deadLettered',
    await fixture.subscribe(),
  );
  const stateOf = async (deliveryId: string) =>
    (await storedDelivery(gateway.sql, deliveryId)).state;
  const answer = await recover(
    { gateway, operator, id },
    id.toUpperCase(),
    '2026-01-01T13:00:00+03:00',
  );
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ recovered: 2 });
  for (const deliveryId of [exact, late]) {
    expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({
      state: 'waiting',
      signals: ['start', 'redeliver'],
    });
  }
  expect(await stateOf(early)).toBe('deadLettered');
  expect(await stateOf(succeeded)).toBe('succeeded');
  expect((await storedDelivery(gateway.sql, waiting)).signals).toEqual(['start']);
  expect(await stateOf(sample)).toBe('failed');
  expect(await stateOf(elsewhere)).toBe('deadLettered');
  // Once more: there is nothing left of them.
  expect((await recover({ gateway, operator, id }, id, '2026-01-01T10:00:00Z')).payload).toEqual({
    recovered: 0,
  });
  expect(await auditOf(gateway, id)).toEqual(
    [2, 0].map((recovered) => ({
      operatorId: operator.id,
      action: 'subscription.recover',
      subjectType: 'subscription',
      requestId: 'req-1',
      before: null,
      after: { since: '2026-01-01T10:00:00.000000Z', recovered },
    })),
  );
});

test.for<[unknown, readonly string[]]>([
  [{}, ['Since required', 'SubscriptionId required']],
  [{ subscriptionId: 'x', since }, ['SubscriptionId invalid_uuid']],
  [{ subscriptionId: unknownId(), since: '2026-01-01' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: '2026-02-30T00:00:00Z' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: '2026-01-01T00:00:00' }, ['Since invalid_date']],
  [{ subscriptionId: unknownId(), since: 1 }, ['Since invalid_type']],
  [{ subscriptionId: unknownId(), since, vendorId: unknownId() }, ['VendorId unknown_field']],
] as const)('the body %j is 400: %j', async ([body, errors], { gateway, operator }) => {
  const answer = await post(gateway, operator, '/recover', body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('a recovery for an unknown or a deleted subscription is 404, for an inactive one 422', async ({
  gateway,
  operator,
  fixture,
  id,
}) => {
  const { deliveryId } = await deliver({ gateway, fixture, id }, 'deadLettered');
  expect(await recover({ gateway, operator, id }, unknownId())).toMatchObject(
    refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'),
  );
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  expect(await recover({ gateway, operator, id })).toMatchObject(refused('SUBSCRIPTION_INACTIVE'));
  await fixture.send('DELETE', `/${id}`);
  expect(await recover({ gateway, operator, id })).toMatchObject(
    refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'),
  );
  expect(await storedDelivery(gateway.sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
  expect(await auditOf(gateway, id)).toEqual([]);
});

test('both are for Operations, and for Admin', async ({ gateway, operator }) => {
  for (const role of operatorRoles) {
    const { token } = await newOperator(gateway, [role]);
    for (const path of ['/recover', `/${unknownId()}/redeliver`]) {
      const answer = await post(gateway, operator, path, { unknown: 1 }, token);
      if (role === 'Reviewer') {
        expect(answer).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Operations' }));
      } else expect(answer.status).toBe(400);
    }
  }
});
