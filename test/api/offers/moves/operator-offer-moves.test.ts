import { expect } from 'vitest';
import type { Decisions } from '../../../../temporal/decisions.ts';
import { newOperator } from '../../support/actors.ts';
import { call, fieldErrorsOf, gatewayOver, itemsOf, refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  approvedOffer,
  auditOf,
  byNumber,
  eventsOf,
  everythingOf,
  messagesTo,
  newParties,
  optionOf,
  rowOf,
  statusChangesOf,
  submitOffer,
  succeeded,
  type Parties,
} from '../offer-record.ts';

// Suspend and reinstate. Which status allows which move has its cases in `test/domain/offers`.

type Move = 'suspend' | 'reinstate';
const moves: readonly Move[] = ['suspend', 'reinstate'];
const move = (parties: Parties, id: string, action: Move, body: unknown = { reason: 'Recall.' }) =>
  parties.by('Reviewer', 'POST', `/offers/${id}/${action}`, body);
const read = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;

const away = () => Promise.reject(new Error('away'));

async function suspendedOffer(parties: Parties, given: Readonly<Record<string, unknown>> = {}) {
  const id = await approvedOffer(parties, given);
  succeeded(await move(parties, id, 'suspend'));
  return id;
}

test('suspend takes an offer off sale; the vendor reads the reason but not the operator', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { declaredStockQuantity: 3 });
  const answer = await move(parties, id, 'suspend');
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({
    id,
    status: 'Suspended',
    version: 3,
    awaitingDecision: false,
    review: { reviewedAt: expect.any(String), reason: 'Recall.' },
  });
  expect(await read(parties, id)).toMatchObject({
    ...answer.payload,
    supply: { isPaused: true, stockQuantity: 3, netPrice: 100 },
  });
  const seen = succeeded(await parties.byVendor('GET', `/${id}?include=history`));
  expect(seen.payload).toMatchObject({
    status: 'Suspended',
    review: { reason: 'Recall.' },
    history: [
      { from: null, to: 'PendingReview', reason: null },
      { from: 'PendingReview', to: 'Approved', reason: null },
      { from: 'Approved', to: 'Suspended', reason: 'Recall.' },
    ],
  });
  expect(seen.text).not.toContain(parties.operatorIds.Reviewer);
});

test('reinstate puts an offer on sale as approved, with the stock pushed meanwhile', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { declaredStockQuantity: 3 });
  const option = await optionOf(gateway.sql, id);
  succeeded(await move(parties, id, 'suspend'));
  const stock = { declaredInStock: true, declaredStockQuantity: 8 };
  succeeded(await parties.byVendor('PATCH', `/${id}/stock`, stock));
  const suspended = { ...option, stockQuantity: 8, isPaused: true };
  expect(await optionOf(gateway.sql, id)).toEqual(suspended);
  const answer = await move(parties, id, 'reinstate', { reason: 'Checked.' });
  expect(answer.payload).toMatchObject({
    status: 'Approved',
    version: 5,
    awaitingDecision: false,
    review: { reason: 'Checked.' },
  });
  expect(await optionOf(gateway.sql, id)).toEqual({ ...suspended, isPaused: false });
  expect((await statusChangesOf(gateway.sql, id)).at(-1)).toMatchObject({
    fromStatus: 'Suspended',
    toStatus: 'Approved',
    reason: 'Checked.',
  });
});

test.for([
  ['suspend', 'Approved', 'Suspended'],
  ['reinstate', 'Suspended', 'Approved'],
] as const)('%s writes an audit entry and no event', async ([action, from, to], { gateway }) => {
  const parties = await newParties(gateway);
  const id = action === 'suspend' ? await approvedOffer(parties) : await suspendedOffer(parties);
  const { variant, operatorIds } = parties;
  const events = await eventsOf(gateway.sql, id);
  const version = Number((await rowOf(gateway.sql, id))?.['version']);
  succeeded(await move(parties, id, action));
  const common = { variantId: variant.id, netHalalas: 10_000, stagedNetHalalas: null };
  expect((await auditOf(gateway.sql, id)).at(-1)).toEqual({
    operatorId: operatorIds.Reviewer,
    action: `offer.${action}`,
    subjectType: 'offer',
    requestId: 'req-7',
    before: { ...common, status: from, version },
    after: { ...common, status: to, version: version + 1, reason: 'Recall.' },
  });
  expect(await eventsOf(gateway.sql, id)).toEqual(events);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ reviewedBy: operatorIds.Reviewer });
});

test('suspend takes a staged price out of the review queue until the offer is reinstated', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const price = { cost: 150, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, price));
  const messages = await messagesTo(gateway.sql, id);
  expect((await move(parties, id, 'suspend')).payload).toMatchObject({
    awaitingDecision: false,
    cost: { pending: { amount: 150 } },
  });
  expect(await messagesTo(gateway.sql, id)).toEqual([...messages, 'offerReview']);
  expect((await move(parties, id, 'reinstate')).payload).toMatchObject({
    status: 'Approved',
    awaitingDecision: true,
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: false });
  const path = `/offers?vendorId=${parties.vendor.vendorId}&awaitingDecision=true`;
  const queue = itemsOf(await parties.by('Reviewer', 'GET', path));
  expect(queue.map((item) => item['id'])).toEqual([id]);
});

test('an identity change during the suspension is reviewed before the offer sells', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await suspendedOffer(parties);
  expect((await parties.byVendor('PATCH', `/${id}`, { vendorSku: 'NEW' })).payload).toMatchObject({
    status: 'Suspended',
  });
  expect((await move(parties, id, 'reinstate')).payload).toMatchObject({
    status: 'PendingReview',
    awaitingDecision: true,
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true });
});

test('both moves work while Temporal is away', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const decisions: Decisions = { decideOffer: away, decideReturn: away };
  const { app } = await gatewayOver(gateway.sql, { decisions });
  const { token } = await newOperator(gateway, ['Reviewer']);
  for (const action of moves) {
    const url = `/operator/v1/offers/${id}/${action}`;
    expect((await call({ app }, 'POST', url, { token, body: { reason: 'x' } })).status).toBe(200);
  }
  await app.close();
});

test('of ten suspensions at once one is made', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const answers = await Promise.all(Array.from({ length: 10 }, () => move(parties, id, 'suspend')));
  expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
    200,
    ...Array<number>(9).fill(422),
  ]);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Suspended', version: 3 });
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
});

test.for([
  ['suspend', 'PendingReview', (parties: Parties) => submitOffer(parties)],
  ['suspend', 'Suspended', (parties: Parties) => suspendedOffer(parties)],
  ['reinstate', 'Approved', (parties: Parties) => approvedOffer(parties)],
] as const)('%s from %s is 422 and stores nothing', async ([action, status, make], { gateway }) => {
  const parties = await newParties(gateway);
  const id = await make(parties);
  const before = await everythingOf(gateway.sql, id);
  expect(await move(parties, id, action)).toMatchObject(
    refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action }),
  );
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test.for([
  [{}, ['Reason required']],
  [{ reason: null }, ['Reason invalid_type']],
  [{ reason: ' \n' }, ['Reason required']],
  [{ reason: 'x'.repeat(4001) }, ['Reason too_long']],
  [{ reason: 'x', expectedVersion: 2 }, ['ExpectedVersion unknown_field']],
] as const)('the body %j is 400 and stores nothing', async ([body, errors], { gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const before = await everythingOf(gateway.sql, id);
  for (const action of moves)
    expect(fieldErrorsOf(await move(parties, id, action, body))).toEqual(errors);
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test('a reason of 4,000 characters is kept whole', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const reason = '😀'.repeat(4000);
  expect((await move(parties, id, 'suspend', { reason })).payload).toMatchObject({
    review: { reason },
  });
});
