import { describe, expect } from 'vitest';
import { fieldErrorsOf, itemsOf, refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  approvedOffer,
  approveOffer,
  auditOf,
  eventsOf,
  everythingOf,
  messagesTo,
  newParties,
  optionOf,
  rowOf,
  statusChangesOf,
  succeeded,
  type Parties,
} from '../offer-record.ts';
import { models, stagedOffer } from './review-fixture.ts';

// Apply and discard a staged price. The rules have their cases in `test/domain/offers`.

type Action = 'apply' | 'discard';
const actions: readonly Action[] = ['apply', 'discard'];
const decide = (parties: Parties, id: string, action: Action, body?: unknown) =>
  parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/${action}`, body);
const read = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;

describe.each(models)('under $agreement.pricingModel', (model) => {
  const { at, vat, supplyBefore, supplyAfter } = model;
  const live = { amount: 100, [vat]: 15, enteredVatInclusive: false };
  const pending = { amount: 869.57, [vat]: 130.43 };

  test.for([
    ['apply', 'PriceApplied', 'applyPrice', 86_957, { ...pending, enteredVatInclusive: true }],
    ['discard', 'PriceDiscarded', 'discardPrice', 10_000, live],
  ] as const)(
    'settles the staged price by %s, with one event %s and one audit entry',
    async ([action, decision, name, netHalalas, after], { gateway }) => {
      const { parties, id } = await stagedOffer(gateway, model);
      const { variant, operatorIds } = parties;
      const statusChanges = await statusChangesOf(gateway.sql, id);
      expect(await read(parties, id)).toMatchObject({
        [at]: { ...live, pending },
        version: 3,
        reviewVersion: 2,
        awaitingDecision: true,
        supply: supplyBefore,
      });
      const reason = 'Because.';
      const answer = await decide(parties, id, action, { expectedVersion: 2, reason });
      expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
      expect(answer.payload).toMatchObject({
        [at]: { ...after, pending: null },
        status: 'Approved',
        version: 4,
        awaitingDecision: false,
        awaitingSince: null,
        review: { reviewedAt: expect.any(String), reason },
      });
      const supply = action === 'apply' ? supplyAfter : supplyBefore;
      expect(await read(parties, id)).toMatchObject({
        ...answer.payload,
        supply: { ...supply, isPaused: false, stockQuantity: 3, inStock: true },
      });
      const seen = succeeded(await parties.byVendor('GET', `/${id}`));
      expect(seen.payload).toMatchObject({ [at]: { ...after, pending: null } });
      expect((await eventsOf(gateway.sql, id)).slice(1)).toStrictEqual([
        {
          offerId: id,
          vendorExternalId: null,
          vendorSku: null,
          decision,
          status: 'Approved',
          reason,
          reviewedAt: expect.stringMatching(/Z$/),
        },
      ]);
      const common = { status: 'Approved', variantId: variant.id };
      expect((await auditOf(gateway.sql, id)).slice(1)).toEqual([
        {
          operatorId: operatorIds.Reviewer,
          action: `offer.${name}`,
          subjectType: 'offer',
          requestId: 'req-7',
          before: { ...common, version: 3, netHalalas: 10_000, stagedNetHalalas: 86_957 },
          after: { ...common, version: 4, netHalalas, stagedNetHalalas: null, reason },
        },
      ]);
      expect(await statusChangesOf(gateway.sql, id)).toEqual(statusChanges);
      expect(await rowOf(gateway.sql, id)).toMatchObject({ reviewedBy: operatorIds.Reviewer });
    },
  );
});

test('takes the offer out of the queue, with a message to the review', async ({ gateway }) => {
  const { parties, id } = await stagedOffer(gateway);
  const path = `/offers?vendorId=${parties.vendor.vendorId}&awaitingDecision=true`;
  const queue = async () => itemsOf(await parties.by('Reviewer', 'GET', path));
  expect(await queue()).toMatchObject([{ id }]);
  const messages = await messagesTo(gateway.sql, id);
  succeeded(await decide(parties, id, 'discard'));
  expect(await queue()).toEqual([]);
  expect(await messagesTo(gateway.sql, id)).toEqual([...messages, 'offerReview']);
});

test('applies a price alone while the offer waits for its review, or by its approval (D31, D60)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { barcode: '4006381333931' });
  const edit = (vendorSku: string, cost: number) =>
    parties.byVendor('PATCH', `/${id}`, { vendorSku, cost, costIsVatInclusive: false });
  await edit('NEW', 200);
  expect((await decide(parties, id, 'apply', {})).payload).toMatchObject({
    status: 'PendingReview',
    awaitingDecision: true,
    cost: { amount: 200, pending: null },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 20_000, isPaused: false });
  await edit('NEWER', 300);
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
  expect(await read(parties, id)).toMatchObject({
    status: 'Rejected',
    cost: { amount: 200, pending: { amount: 300, inputVat: 45 } },
    awaitingDecision: false,
    supply: { netPrice: 200, isPaused: true },
  });
  await edit('NEWEST', 300);
  await approveOffer(parties, id);
  expect(await read(parties, id)).toMatchObject({
    status: 'Approved',
    cost: { amount: 300, inputVat: 45, pending: null },
    supply: { netPrice: 300, isPaused: false },
  });
  expect(await eventsOf(gateway.sql, id)).toMatchObject([
    { decision: 'Approved', status: 'Approved', reason: null },
    { decision: 'PriceApplied', status: 'PendingReview', reason: null },
    { decision: 'Rejected', status: 'Rejected', reason: 'No.' },
    { decision: 'Approved', status: 'Approved', reason: null },
  ]);
});

test('makes one of ten decisions at once, with one event and audit entry', async ({ gateway }) => {
  const { parties, id } = await stagedOffer(gateway);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      decide(parties, id, index % 2 === 0 ? 'apply' : 'discard', {}),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(['BUSINESS_OFFER_NO_PENDING_PRICE', 'CONFLICT_VERSION']).toContain(answer.state);
  expect(await eventsOf(gateway.sql, id)).toHaveLength(2);
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 4, pendingCostNet: null });
});

test.for(actions)(
  'refuses %s of another version or a settled price, and stores nothing',
  async (action, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, models[1]);
    const before = await everythingOf(gateway.sql, id);
    for (const expectedVersion of [1, 3])
      expect(await decide(parties, id, action, { expectedVersion })).toMatchObject(
        refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion: 2 }),
      );
    for (const [body, error] of [
      [{ expectedVersion: 0 }, 'ExpectedVersion too_small'],
      [{ expectedVersion: '3' }, 'ExpectedVersion invalid_type'],
      [{ expectedVersion: 2, reason: 5 }, 'Reason invalid_type'],
      [{ expectedVersion: 2, reason: 'x'.repeat(4001) }, 'Reason too_long'],
      [{ expectedVersion: 2, price: 1 }, 'Price unknown_field'],
    ])
      expect(fieldErrorsOf(await decide(parties, id, action, body))).toEqual([error]);
    // Apply needs the version that was read, discard needs none (D83).
    const errors = action === 'apply' ? ['ExpectedVersion invalid_type'] : [];
    const blank = await decide(parties, id, action, { expectedVersion: null, reason: ' ' });
    expect(fieldErrorsOf(blank)).toEqual(errors);
    if (action === 'apply') {
      const absent = await decide(parties, id, action, { expectedVersion: undefined });
      expect(fieldErrorsOf(absent)).toEqual(['ExpectedVersion required']);
      expect(await everythingOf(gateway.sql, id)).toEqual(before);
      succeeded(await decide(parties, id, action, {}));
    }
    expect(await read(parties, id)).toMatchObject({ review: { reason: null } });
    const settled = await everythingOf(gateway.sql, id);
    for (const again of actions)
      expect(await decide(parties, id, again, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
    expect(await everythingOf(gateway.sql, id)).toEqual(settled);
  },
);
