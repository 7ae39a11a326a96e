import { expect } from 'vitest';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId } from '../../support/api.ts';
import {
  approvedOffer,
  approveOffer,
  auditOf,
  newParties,
  everythingOf,
  messagesTo,
  optionOf,
  rowOf,
  succeeded,
} from '../offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  actions,
  decide,
  read,
  decisionsOf,
  stagedOffer,
  costPlusModel,
} from './operator-pending-price-fixture.ts';

test('of ten decisions on one price at once one is made, with one event and audit entry', async ({
  gateway,
}) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      decide(parties, id, index % 2 === 0 ? 'apply' : 'discard', {}),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(['BUSINESS_OFFER_NO_PENDING_PRICE', 'CONFLICT_VERSION']).toContain(answer.state);
  }
  expect(await decisionsOf(gateway, id)).toHaveLength(2);
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 4, pendingCostNet: null });
});

test('the last staged price is the one that is applied', async ({ gateway }) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const body = { cost: 50.5, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, body));
  expect((await decide(parties, id, 'apply', { expectedVersion: 3 })).payload).toMatchObject({
    cost: { amount: 50.5, inputVat: 7.58, enteredVatInclusive: false, pending: null },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    net: 5050,
    sellNet: 6060,
    payoutNet: 5050,
  });
});

test('a decision takes a staged price out of the queue and sends a message to the review', async ({
  gateway,
}) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const queue = async () =>
    itemsOf(
      await parties.by(
        'Reviewer',
        'GET',
        `/offers?vendorId=${parties.vendor.vendorId}&awaitingDecision=true`,
      ),
    ).map((item) => item['id']);
  expect(await queue()).toEqual([id]);
  const told = await messagesTo(gateway.sql, id);
  succeeded(await decide(parties, id, 'discard', {}));
  expect(await queue()).toEqual([]);
  expect(await messagesTo(gateway.sql, id)).toEqual([...told, 'offerReview']);
});

test('the staged price of an offer in review can be applied alone; the offer waits (D31)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  expect((await parties.byVendor('PATCH', `/${id}`, edit)).payload).toMatchObject({
    status: 'PendingReview',
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: false });
  expect((await decide(parties, id, 'apply', {})).payload).toMatchObject({
    status: 'PendingReview',
    awaitingDecision: true,
    cost: { amount: 200, pending: null },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    net: 20_000,
    sellNet: 24_000,
    isPaused: false,
  });
  expect((await decisionsOf(gateway, id)).at(-1)).toEqual({
    decision: 'PriceApplied',
    status: 'PendingReview',
    reason: null,
  });
});

test('an approval applies the staged price too, by one decision and one event (D60)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  await approveOffer(parties, id);
  expect(await read(parties, id)).toMatchObject({
    status: 'Approved',
    cost: { amount: 200, inputVat: 30, pending: null },
    awaitingDecision: false,
    supply: { netPrice: 200, isPaused: false },
  });
  expect(await decisionsOf(gateway, id)).toMatchObject([
    { decision: 'Approved' },
    { decision: 'Approved' },
  ]);
});

test('rejecting leaves the price staged; a later approval applies it (D60)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
  expect(await read(parties, id)).toMatchObject({
    status: 'Rejected',
    cost: { amount: 100, pending: { amount: 200, inputVat: 30 } },
    awaitingDecision: false,
    supply: { netPrice: 100, isPaused: true },
  });
  succeeded(await parties.byVendor('PATCH', `/${id}`, { vendorSku: 'NEWER' }));
  await approveOffer(parties, id);
  expect(await read(parties, id)).toMatchObject({
    status: 'Approved',
    cost: { amount: 200, pending: null },
    supply: { netPrice: 200, isPaused: false },
  });
});

test.for(['suspend', 'withdraw'] as const)(
  'applying a price after %s does not let the offer sell again',
  async (move, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, costPlusModel);
    const moved =
      move === 'suspend'
        ? await parties.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' })
        : await parties.byVendor('POST', `/${id}/withdraw`);
    const { payload } = succeeded(moved);
    succeeded(await decide(parties, id, 'apply', {}));
    expect(await read(parties, id)).toMatchObject({
      status: payload?.['status'],
      cost: { amount: 869.57, pending: null },
      supply: { netPrice: 869.57, isPaused: true },
    });
  },
);

test.for([
  [{ expectedVersion: 0 }, ['ExpectedVersion too_small']],
  [{ expectedVersion: '3' }, ['ExpectedVersion invalid_type']],
  [{ expectedVersion: 1.5 }, ['ExpectedVersion invalid_integer']],
  [{ reason: 5 }, ['Reason invalid_type']],
  [{ reason: 'x'.repeat(4001) }, ['Reason too_long']],
  [{ reason: 'a\0', price: 1 }, ['Price unknown_field', 'Reason invalid_characters']],
] as const)('the body %j is 400, and changes nothing', async ([body, errors], { gateway }) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const before = await everythingOf(gateway.sql, id);
  for (const action of actions) {
    const answer = await decide(parties, id, action, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test.for(actions)(
  '%s is for reviewers and administrators; an unknown offer is 404',
  async (action, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, costPlusModel);
    const path = `/offers/${id}/pending-price/${action}`;
    expect(await parties.by('Operations', 'POST', path, {})).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Reviewer' }),
    );
    const token = parties.vendor.token;
    const url = `/operator/v1${path}`;
    expect(await call(gateway, 'POST', url, { token, body: {} })).toMatchObject({
      status: 403,
      state: 'FORBIDDEN',
    });
    for (const unknown of [unknownId(), 'x']) {
      expect(await decide(parties, unknown, action, { expectedVersion: 1 })).toMatchObject(
        refusal('NOT_FOUND_VENDOR_OFFER'),
      );
    }
    expect(await parties.by('Admin', 'POST', path, {})).toMatchObject({ status: 200 });
  },
);
