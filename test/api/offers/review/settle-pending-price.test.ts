import { describe, expect } from 'vitest';
import { fieldErrorsOf, refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  auditOf,
  eventsOf,
  everythingOf,
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
  'refuses %s of another version, a malformed body or a settled price, and stores nothing',
  async (action, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, models[1]);
    const before = await everythingOf(gateway.sql, id);
    for (const expectedVersion of [1, 3])
      expect(await decide(parties, id, action, { expectedVersion })).toMatchObject(
        refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion: 2 }),
      );
    for (const [body, error] of [
      [{ expectedVersion: 0 }, 'ExpectedVersion too_small'],
      [{ expectedVersion: 2, reason: 'x'.repeat(4001) }, 'Reason too_long'],
      [{ expectedVersion: 2, price: 1 }, 'Price unknown_field'],
    ])
      expect(fieldErrorsOf(await decide(parties, id, action, body))).toEqual([error]);
    // Apply needs the version that was read, discard needs none (D83).
    if (action === 'apply')
      for (const [expectedVersion, error] of [
        [null, 'ExpectedVersion invalid_type'],
        [undefined, 'ExpectedVersion required'],
      ] as const)
        expect(fieldErrorsOf(await decide(parties, id, action, { expectedVersion }))).toEqual([
          error,
        ]);
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
    const blank = action === 'apply' ? {} : { expectedVersion: null, reason: ' ' };
    succeeded(await decide(parties, id, action, blank));
    expect(await read(parties, id)).toMatchObject({ review: { reason: null } });
    const settled = await everythingOf(gateway.sql, id);
    for (const again of actions)
      expect(await decide(parties, id, again, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
    expect(await everythingOf(gateway.sql, id)).toEqual(settled);
  },
);
