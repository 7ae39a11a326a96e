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
import {
  actions,
  costPlusModel,
  decide,
  decisionsOf,
  models,
  percentageModel,
  read,
  stagedOffer,
} from './operator-pending-price-fixture.ts';

// Apply and discard a staged price. The rules have their cases in `test/domain/offers`.

/** An approved offer with a staged price whose barcode makes an edit need a review. */
async function offerBackInReview(parties: Parties): Promise<string> {
  const id = await approvedOffer(parties, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  return id;
}

describe.each(models)('under $agreement.pricingModel', (model) => {
  test('apply makes the staged price and its VAT live, and what the offer sells at', async ({
    gateway,
  }) => {
    const { parties, id } = await stagedOffer(gateway, model);
    expect(await read(parties, id)).toMatchObject({
      ...model.form(100, 15, false, model.pending),
      version: 3,
      reviewVersion: 2,
      awaitingDecision: true,
      supply: model.supplyBefore,
    });
    const reason = 'Agreed by phone.';
    const answer = await decide(parties, id, 'apply', { expectedVersion: 2, reason });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toMatchObject({
      ...model.form(869.57, 130.43, true, null),
      status: 'Approved',
      version: 4,
      awaitingDecision: false,
      awaitingSince: null,
      review: { reviewedAt: expect.any(String), reason },
    });
    expect(await read(parties, id)).toMatchObject({
      ...answer.payload,
      supply: { ...model.supplyAfter, isPaused: false, stockQuantity: 3, inStock: true },
    });
    const seen = succeeded(await parties.byVendor('GET', `/${id}`));
    expect(seen.payload).toMatchObject(model.form(869.57, 130.43, true, null));
  });

  test('discard drops the staged price; the live and the selling price stay', async ({
    gateway,
  }) => {
    const { parties, id } = await stagedOffer(gateway, model);
    const option = await optionOf(gateway.sql, id);
    const answer = await decide(parties, id, 'discard', { reason: 'Too high.' });
    expect(answer.payload).toMatchObject({
      ...model.form(100, 15, false, null),
      status: 'Approved',
      version: 4,
      awaitingDecision: false,
      review: { reviewedAt: expect.any(String), reason: 'Too high.' },
    });
    expect(await optionOf(gateway.sql, id)).toEqual(option);
  });

  test.for([
    ['apply', 'PriceApplied', 'applyPrice', 86_957],
    ['discard', 'PriceDiscarded', 'discardPrice', 10_000],
  ] as const)(
    '%s sends one event, %s, and writes one audit entry; the status does not change',
    async ([action, decision, name, netHalalas], { gateway }) => {
      const { parties, id } = await stagedOffer(gateway, model);
      const statusChanges = await statusChangesOf(gateway.sql, id);
      succeeded(await decide(parties, id, action, { reason: 'Because.' }));
      const [approved, ...events] = await eventsOf(gateway.sql, id);
      expect(approved).toMatchObject({ decision: 'Approved' });
      expect(events).toStrictEqual([
        {
          offerId: id,
          vendorExternalId: null,
          vendorSku: null,
          decision,
          status: 'Approved',
          reason: 'Because.',
          reviewedAt: expect.stringMatching(/Z$/),
        },
      ]);
      const common = { status: 'Approved', variantId: parties.variant.id };
      expect((await auditOf(gateway.sql, id)).slice(1)).toEqual([
        {
          operatorId: parties.operatorIds.Reviewer,
          action: `offer.${name}`,
          subjectType: 'offer',
          requestId: 'req-7',
          before: { ...common, version: 3, netHalalas: 10_000, stagedNetHalalas: 86_957 },
          after: { ...common, version: 4, netHalalas, stagedNetHalalas: null, reason: 'Because.' },
        },
      ]);
      expect(await statusChangesOf(gateway.sql, id)).toEqual(statusChanges);
      expect(await rowOf(gateway.sql, id)).toMatchObject({
        reviewedBy: parties.operatorIds.Reviewer,
      });
    },
  );
});

test('a decision takes the offer out of the queue and sends a message to the review', async ({
  gateway,
}) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const path = `/offers?vendorId=${parties.vendor.vendorId}&awaitingDecision=true`;
  const queue = async () =>
    itemsOf(await parties.by('Reviewer', 'GET', path)).map((item) => item['id']);
  expect(await queue()).toEqual([id]);
  const messages = await messagesTo(gateway.sql, id);
  succeeded(await decide(parties, id, 'discard', undefined));
  expect(await queue()).toEqual([]);
  expect(await messagesTo(gateway.sql, id)).toEqual([...messages, 'offerReview']);
  expect(await decisionsOf(gateway, id)).toMatchObject([
    { decision: 'Approved' },
    { decision: 'PriceDiscarded', reason: null },
  ]);
});

test('the price of an offer in review can be applied alone, and the offer still waits (D31)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await offerBackInReview(parties);
  expect((await decide(parties, id, 'apply', {})).payload).toMatchObject({
    status: 'PendingReview',
    awaitingDecision: true,
    cost: { amount: 200, pending: null },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 20_000, isPaused: false });
  expect((await decisionsOf(gateway, id)).at(-1)).toEqual({
    decision: 'PriceApplied',
    status: 'PendingReview',
    reason: null,
  });
});

test('reject leaves the price staged; the next approval applies it by one event (D60)', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await offerBackInReview(parties);
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
    cost: { amount: 200, inputVat: 30, pending: null },
    awaitingDecision: false,
    supply: { netPrice: 200, isPaused: false },
  });
  const decisions = (await decisionsOf(gateway, id)).map(({ decision }) => decision);
  expect(decisions).toEqual(['Approved', 'Rejected', 'Approved']);
});

test.for(['suspend', 'withdraw'] as const)(
  'a price that is applied after %s does not put the offer on sale',
  async (move, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, costPlusModel);
    const { payload } = succeeded(
      move === 'suspend'
        ? await parties.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' })
        : await parties.byVendor('POST', `/${id}/withdraw`),
    );
    succeeded(await decide(parties, id, 'apply', {}));
    expect(await read(parties, id)).toMatchObject({
      status: payload?.['status'],
      cost: { amount: 869.57, pending: null },
      supply: { netPrice: 869.57, isPaused: true },
    });
  },
);

test('of ten decisions on one price at once one is made, with one event and audit entry', async ({
  gateway,
}) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      decide(parties, id, index % 2 === 0 ? 'apply' : 'discard', {}),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(['BUSINESS_OFFER_NO_PENDING_PRICE', 'CONFLICT_VERSION']).toContain(answer.state);
  }
  expect(await decisionsOf(gateway, id)).toHaveLength(2);
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 4, pendingCostNet: null });
});

test.for(actions)('%s is refused without effect', async (action, { gateway }) => {
  const { parties, id } = await stagedOffer(gateway, percentageModel);
  const before = await everythingOf(gateway.sql, id);
  for (const expectedVersion of [1, 3]) {
    expect(await decide(parties, id, action, { expectedVersion })).toMatchObject(
      refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion: 2 }),
    );
  }
  expect(await everythingOf(gateway.sql, id)).toEqual(before);

  succeeded(await decide(parties, id, action, { reason: ' ' }));
  expect(await read(parties, id)).toMatchObject({ review: { reason: null } });
  const settled = await everythingOf(gateway.sql, id);
  for (const again of actions) {
    expect(await decide(parties, id, again, {})).toMatchObject(
      refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
    );
  }
  expect(await everythingOf(gateway.sql, id)).toEqual(settled);
});

test.for([
  [{ expectedVersion: 0 }, ['ExpectedVersion too_small']],
  [{ expectedVersion: '3' }, ['ExpectedVersion invalid_type']],
  [{ expectedVersion: 2, reason: 5 }, ['Reason invalid_type']],
  [{ expectedVersion: 2, reason: 'x'.repeat(4001) }, ['Reason too_long']],
  [{ expectedVersion: 2, price: 1 }, ['Price unknown_field']],
] as const)('the body %j is 400 and stores nothing', async ([body, errors], { gateway }) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const before = await everythingOf(gateway.sql, id);
  for (const action of actions)
    expect(fieldErrorsOf(await decide(parties, id, action, body))).toEqual(errors);
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test('apply needs the version that was read, discard needs none (D83)', async ({ gateway }) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  for (const [expectedVersion, code] of [
    [undefined, 'required'],
    [null, 'invalid_type'],
  ])
    expect(fieldErrorsOf(await decide(parties, id, 'apply', { expectedVersion }))).toEqual([
      `ExpectedVersion ${code}`,
    ]);
  expect(await decide(parties, id, 'discard', { expectedVersion: null })).toMatchObject({
    status: 200,
  });
});
