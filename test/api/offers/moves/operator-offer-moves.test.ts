import { expect } from 'vitest';
import { itemsOf } from '../../support/api.ts';
import {
  approvedOffer,
  auditOf,
  newParties,
  eventsOf,
  messagesTo,
  optionOf,
  rowOf,
  statusChangesOf,
  succeeded,
  type Parties,
} from '../offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { move, suspendedOffer } from './operator-offer-moves-fixture.ts';

const read = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;
const pushStock = async (parties: Parties, id: string, declaredStockQuantity: number) =>
  succeeded(
    await parties.byVendor('PATCH', `/${id}/stock`, {
      declaredInStock: true,
      declaredStockQuantity,
    }),
  );

test('suspending stops sales at once; the vendor sees the reason, not the operator', async ({
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

test('reinstating lets it sell again, as it was approved', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { declaredStockQuantity: 3 });
  const option = await optionOf(gateway.sql, id);
  succeeded(await move(parties, id, 'suspend'));
  const answer = await move(parties, id, 'reinstate', { reason: 'Checked.' });
  expect(answer.payload).toMatchObject({
    status: 'Approved',
    version: 4,
    awaitingDecision: false,
    review: { reason: 'Checked.' },
  });
  expect(await optionOf(gateway.sql, id)).toEqual(option);
  expect((await statusChangesOf(gateway.sql, id)).slice(2)).toMatchObject([
    { fromStatus: 'Approved', toStatus: 'Suspended', reason: 'Recall.' },
    { fromStatus: 'Suspended', toStatus: 'Approved', reason: 'Checked.' },
  ]);
});

test.for([
  ['suspend', 'Approved', 'Suspended'],
  ['reinstate', 'Suspended', 'Approved'],
] as const)('%s is audited, and makes no event', async ([action, from, to], { gateway }) => {
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

test('stock pushed while an offer is suspended is in its option at reinstating', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await suspendedOffer(parties, { declaredStockQuantity: 3 });
  await pushStock(parties, id, 8);
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    stockQuantity: 8,
    inStock: true,
    isPaused: true,
  });
  succeeded(await move(parties, id, 'reinstate'));
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    stockQuantity: 8,
    inStock: true,
    isPaused: false,
  });
});

test('an edit of a suspended offer keeps its status; a price is staged until reinstated', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await suspendedOffer(parties);
  const edited = await parties.byVendor('PATCH', `/${id}`, {
    cost: 150,
    costIsVatInclusive: false,
  });
  expect(edited.payload).toMatchObject({
    status: 'Suspended',
    cost: { amount: 100, pending: { amount: 150 } },
  });
  expect(await read(parties, id)).toMatchObject({
    awaitingDecision: false,
    supply: { isPaused: true },
  });
  const answer = await move(parties, id, 'reinstate');
  expect(answer.payload).toMatchObject({ status: 'Approved', awaitingDecision: true });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: false });
  const queue = await parties.by(
    'Reviewer',
    'GET',
    `/offers?vendorId=${parties.vendor.vendorId}&awaitingDecision=true`,
  );
  expect(itemsOf(queue).map((item) => item['id'])).toEqual([id]);
});

test('an offer with an identity change while suspended is reviewed before it sells again', async ({
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

test('suspending takes a staged price out of the queue and sends a message to the review', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  succeeded(
    await parties.byVendor('PATCH', `/${id}/cost`, { cost: 150, costIsVatInclusive: false }),
  );
  const told = await messagesTo(gateway.sql, id);
  expect((await move(parties, id, 'suspend')).payload).toMatchObject({
    awaitingDecision: false,
    cost: { pending: { amount: 150 } },
  });
  expect(await messagesTo(gateway.sql, id)).toEqual([...told, 'offerReview']);
});
