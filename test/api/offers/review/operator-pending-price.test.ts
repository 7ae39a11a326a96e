import { describe, expect } from 'vitest';
import { fieldErrorsOf, refusal } from '../../support/api.ts';
import {
  approvedOffer,
  auditOf,
  newParties,
  eventsOf,
  everythingOf,
  optionOf,
  rowOf,
  statusChangesOf,
  submitOffer,
  succeeded,
} from '../offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  actions,
  decide,
  read,
  decisionsOf,
  models,
  stagedOffer,
  costPlusModel,
  percentageModel,
} from './operator-pending-price-fixture.ts';

describe.each(models)('under $agreement.pricingModel', (model) => {
  test('applying makes the staged price and its VAT live, and what the offer sells at', async ({
    gateway,
  }) => {
    const { parties, id } = await stagedOffer(gateway, model);
    const before = await read(parties, id);
    expect(before).toMatchObject({
      ...model.form(100, 15, false, model.pending),
      version: 3,
      reviewVersion: 2,
      awaitingDecision: true,
      supply: model.supplyBefore,
    });
    const answer = await decide(parties, id, 'apply', {
      expectedVersion: 2,
      reason: 'Agreed by phone.',
    });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toMatchObject({
      ...model.form(869.57, 130.43, true, null),
      status: 'Approved',
      version: 4,
      awaitingDecision: false,
      awaitingSince: null,
      review: { reviewedAt: expect.any(String), reason: 'Agreed by phone.' },
    });
    expect(await read(parties, id)).toMatchObject({
      ...answer.payload,
      supply: { ...model.supplyAfter, isPaused: false, stockQuantity: 3, inStock: true },
    });
    const seen = succeeded(await parties.byVendor('GET', `/${id}`));
    expect(seen.payload).toMatchObject(model.form(869.57, 130.43, true, null));
  });

  test('discarding drops the staged price; the live one and the selling price stay', async ({
    gateway,
  }) => {
    const { parties, id } = await stagedOffer(gateway, model);
    const option = await optionOf(gateway.sql, id);
    const answer = await decide(parties, id, 'discard', { reason: 'Too dear.' });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS' });
    expect(answer.payload).toMatchObject({
      ...model.form(100, 15, false, null),
      status: 'Approved',
      version: 4,
      awaitingDecision: false,
      review: { reviewedAt: expect.any(String), reason: 'Too dear.' },
    });
    expect(await read(parties, id)).toMatchObject({
      supply: { ...model.supplyBefore, isPaused: false },
    });
    expect(await optionOf(gateway.sql, id)).toEqual(option);
  });

  test.for([
    ['apply', 'PriceApplied', 'applyPrice', 86_957],
    ['discard', 'PriceDiscarded', 'discardPrice', 10_000],
  ] as const)(
    '%s sends one event with %s and writes one audit entry; the status does not change',
    async ([action, decision, name, netHalalas], { gateway }) => {
      const { parties, id } = await stagedOffer(gateway, model);
      const statusChanges = await statusChangesOf(gateway.sql, id);
      succeeded(await decide(parties, id, action, { reason: 'Because.' }));
      const [approved, ...told] = await eventsOf(gateway.sql, id);
      expect(approved).toMatchObject({ decision: 'Approved' });
      expect(told).toStrictEqual([
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
      expect((await auditOf(gateway.sql, id)).slice(1)).toEqual([
        {
          operatorId: parties.operatorIds.Reviewer,
          action: `offer.${name}`,
          subjectType: 'offer',
          requestId: 'req-7',
          before: {
            status: 'Approved',
            version: 3,
            variantId: parties.variant.id,
            netHalalas: 10_000,
            stagedNetHalalas: 86_957,
          },
          after: {
            status: 'Approved',
            version: 4,
            variantId: parties.variant.id,
            netHalalas,
            stagedNetHalalas: null,
            reason: 'Because.',
          },
        },
      ]);
      expect(await statusChangesOf(gateway.sql, id)).toEqual(statusChanges);
      expect(await rowOf(gateway.sql, id)).toMatchObject({
        reviewedBy: parties.operatorIds.Reviewer,
      });
    },
  );
});

test('D83: applying without expectedVersion is 400 on ExpectedVersion, without effect', async ({
  gateway,
}) => {
  const { parties, id } = await stagedOffer(gateway, costPlusModel);
  const before = await everythingOf(gateway.sql, id);
  for (const expectedVersion of [undefined, null]) {
    const answer = await decide(parties, id, 'apply', { reason: 'Fine.', expectedVersion });
    expect(answer.state).toBe('VALIDATION_ERRORS');
    expect(fieldErrorsOf(answer).map((entry) => entry.split(' ')[0])).toEqual(['ExpectedVersion']);
  }
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test.for([
  ['apply', [{ expectedVersion: 2 }, { expectedVersion: 2, reason: ' ' }]],
  ['discard', [undefined, {}, { reason: null, expectedVersion: null }, { reason: ' ' }]],
] as const)(
  '%s needs no reason, and discard no body and no version',
  async ([action, bodies], { gateway }) => {
    for (const body of bodies) {
      const { parties, id } = await stagedOffer(gateway, costPlusModel);
      const answer = await decide(parties, id, action, body);
      expect(answer).toMatchObject({ status: 200, payload: { review: { reason: null } } });
      expect(await decisionsOf(gateway, id)).toMatchObject([
        { decision: 'Approved' },
        { reason: null },
      ]);
    }
  },
);

test.for(actions)(
  '%s on another version is 409, and changes nothing',
  async (action, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, percentageModel);
    const before = await everythingOf(gateway.sql, id);
    for (const expectedVersion of [1, 3]) {
      expect(await decide(parties, id, action, { expectedVersion })).toMatchObject(
        refusal('CONFLICT_VERSION', { expectedVersion, reviewVersion: 2 }),
      );
    }
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  },
);

test.for(actions)(
  '%s with nothing staged is 422, and changes nothing',
  async (action, { gateway }) => {
    const parties = await newParties(gateway);
    const live = await approvedOffer(parties);
    const draft = await submitOffer(parties, { saveAsDraft: true });
    const rejected = await submitOffer(parties);
    succeeded(
      await parties.by('Reviewer', 'POST', `/offers/${rejected}/reject`, { reason: 'No.' }),
    );
    for (const id of [live, draft, rejected, await submitOffer(parties)]) {
      const before = await everythingOf(gateway.sql, id);
      expect(await decide(parties, id, action, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
      expect(await everythingOf(gateway.sql, id)).toEqual(before);
    }
  },
);

test.for(actions)(
  '%s once more is 422: what was staged is decided on once',
  async (action, { gateway }) => {
    const { parties, id } = await stagedOffer(gateway, costPlusModel);
    succeeded(await decide(parties, id, action, {}));
    const before = await everythingOf(gateway.sql, id);
    for (const again of actions) {
      expect(await decide(parties, id, again, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
    }
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  },
);
