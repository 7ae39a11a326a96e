import { describe, expect } from 'vitest';
import { costPlus, percentageOfSale } from '../support/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import {
  approvedOffer,
  approveOffer,
  auditOf,
  castOf,
  eventsOf,
  everythingOf,
  messagesTo,
  optionOf,
  rowOf,
  statusChangesOf,
  submitOffer,
  succeeded,
  type Cast,
} from './offer-record.ts';
import { gatewayTest as test } from '../../support/gateway-test.ts';

type Action = 'apply' | 'discard';
const actions: readonly Action[] = ['apply', 'discard'];

const decide = (cast: Cast, id: string, action: Action, body?: unknown) =>
  cast.by('Reviewer', 'POST', `/offers/${id}/pending-price/${action}`, body);
const read = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'GET', `/offers/${id}`)).payload;
const decisionsOf = async (gateway: Gateway, id: string) =>
  (await eventsOf(gateway.sql, id)).map(({ decision, status, reason }) => ({
    decision,
    status,
    reason,
  }));

/** The same story under both agreements: live at net 100 with 20 % markup, or 15 % commission; 1,000 gross is staged (D17). */
const models = [
  {
    agreement: costPlus,
    given: {},
    push: ['cost', { cost: 1000, costIsVatInclusive: true }],
    form: (amount: number, vat: number, enteredVatInclusive: boolean, pending: unknown) => ({
      cost: { amount, inputVat: vat, isVatInclusive: false, enteredVatInclusive, pending },
      price: {
        amount: null,
        vat: null,
        isVatInclusive: false,
        enteredVatInclusive: null,
        pending: null,
      },
    }),
    pending: { amount: 869.57, inputVat: 130.43 },
    supplyBefore: { netPrice: 100, sellPrice: 120, payoutPrice: 100 },
    // 20 % of 86,957 halalas is 17,391.4.
    supplyAfter: { netPrice: 869.57, sellPrice: 1043.48, payoutPrice: 869.57 },
  },
  {
    agreement: percentageOfSale,
    given: { salePrice: 100, salePriceIsVatInclusive: false },
    push: ['sale-price', { salePrice: 1000, salePriceIsVatInclusive: true }],
    form: (amount: number, vat: number, enteredVatInclusive: boolean, pending: unknown) => ({
      cost: {
        amount: null,
        inputVat: null,
        isVatInclusive: false,
        enteredVatInclusive: null,
        pending: null,
      },
      price: { amount, vat, isVatInclusive: false, enteredVatInclusive, pending },
    }),
    pending: { amount: 869.57, vat: 130.43 },
    supplyBefore: { netPrice: 100, sellPrice: 100, payoutPrice: 85 },
    // 15 % of 86,957 halalas is 13,043.55, which rounds up.
    supplyAfter: { netPrice: 869.57, sellPrice: 869.57, payoutPrice: 739.13 },
  },
] as const;

async function stagedOffer(gateway: Gateway, { agreement, given, push }: (typeof models)[number]) {
  const cast = await castOf(gateway, agreement);
  const id = await approvedOffer(cast, { ...given, declaredStockQuantity: 3 });
  const [route, body] = push;
  succeeded(await cast.byVendor('PATCH', `/${id}/${route}`, body));
  return { cast, id };
}

describe.each(models)('under $agreement.pricingModel', (model) => {
  test('applying makes the staged price and its VAT the live ones, and what the offer sells at', async ({
    gateway,
  }) => {
    const { cast, id } = await stagedOffer(gateway, model);
    const before = await read(cast, id);
    expect(before).toMatchObject({
      ...model.form(100, 15, false, model.pending),
      version: 3,
      awaitingDecision: true,
      supply: model.supplyBefore,
    });
    const answer = await decide(cast, id, 'apply', {
      expectedVersion: 3,
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
    expect(await read(cast, id)).toMatchObject({
      ...answer.payload,
      supply: { ...model.supplyAfter, isPaused: false, stockQuantity: 3, inStock: true },
    });
    const seen = succeeded(await cast.byVendor('GET', `/${id}`));
    expect(seen.payload).toMatchObject(model.form(869.57, 130.43, true, null));
  });

  test('discarding drops the staged price; the live one and what the offer sells at are untouched', async ({
    gateway,
  }) => {
    const { cast, id } = await stagedOffer(gateway, model);
    const option = await optionOf(gateway.sql, id);
    const answer = await decide(cast, id, 'discard', { reason: 'Too dear.' });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS' });
    expect(answer.payload).toMatchObject({
      ...model.form(100, 15, false, null),
      status: 'Approved',
      version: 4,
      awaitingDecision: false,
      review: { reviewedAt: expect.any(String), reason: 'Too dear.' },
    });
    expect(await read(cast, id)).toMatchObject({
      supply: { ...model.supplyBefore, isPaused: false },
    });
    expect(await optionOf(gateway.sql, id)).toEqual(option);
  });

  test.for([
    ['apply', 'PriceApplied', 'applyPrice', 86_957],
    ['discard', 'PriceDiscarded', 'discardPrice', 10_000],
  ] as const)(
    '%s tells the vendor %s once, and is audited once; the status does not change',
    async ([action, decision, name, netHalalas], { gateway }) => {
      const { cast, id } = await stagedOffer(gateway, model);
      const statusChanges = await statusChangesOf(gateway.sql, id);
      succeeded(await decide(cast, id, action, { reason: 'Because.' }));
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
          operatorId: cast.operatorIds.Reviewer,
          action: `offer.${name}`,
          subjectType: 'offer',
          requestId: 'req-7',
          before: {
            status: 'Approved',
            version: 3,
            variantId: cast.variant.id,
            netHalalas: 10_000,
            stagedNetHalalas: 86_957,
          },
          after: {
            status: 'Approved',
            version: 4,
            variantId: cast.variant.id,
            netHalalas,
            stagedNetHalalas: null,
            reason: 'Because.',
          },
        },
      ]);
      expect(await statusChangesOf(gateway.sql, id)).toEqual(statusChanges);
      expect(await rowOf(gateway.sql, id)).toMatchObject({ reviewedBy: cast.operatorIds.Reviewer });
    },
  );
});

const [costPlusModel, percentageModel] = models;

test.for(actions)(
  '%s asks for nothing: a body, a version and a reason are optional',
  async (action, { gateway }) => {
    for (const body of [undefined, {}, { reason: null, expectedVersion: null }, { reason: ' ' }]) {
      const { cast, id } = await stagedOffer(gateway, costPlusModel);
      const answer = await decide(cast, id, action, body);
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
    const { cast, id } = await stagedOffer(gateway, percentageModel);
    const before = await everythingOf(gateway.sql, id);
    for (const expectedVersion of [2, 4]) {
      expect(await decide(cast, id, action, { expectedVersion })).toMatchObject(
        refusal('CONFLICT_VERSION', { expectedVersion, version: 3 }),
      );
    }
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  },
);

test.for(actions)(
  '%s with nothing staged is 422, and changes nothing',
  async (action, { gateway }) => {
    const cast = await castOf(gateway);
    const live = await approvedOffer(cast);
    const draft = await submitOffer(cast, { saveAsDraft: true });
    const rejected = await submitOffer(cast);
    succeeded(await cast.by('Reviewer', 'POST', `/offers/${rejected}/reject`, { reason: 'No.' }));
    for (const id of [live, draft, rejected, await submitOffer(cast)]) {
      const before = await everythingOf(gateway.sql, id);
      expect(await decide(cast, id, action, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
      expect(await everythingOf(gateway.sql, id)).toEqual(before);
    }
  },
);

test.for(actions)(
  '%s once more is 422: what was staged is decided on once',
  async (action, { gateway }) => {
    const { cast, id } = await stagedOffer(gateway, costPlusModel);
    succeeded(await decide(cast, id, action, {}));
    const before = await everythingOf(gateway.sql, id);
    for (const again of actions) {
      expect(await decide(cast, id, again, {})).toMatchObject(
        refusal('BUSINESS_OFFER_NO_PENDING_PRICE'),
      );
    }
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  },
);

test('of ten decisions on one price at once one is made, with one event and one audit entry', async ({
  gateway,
}) => {
  const { cast, id } = await stagedOffer(gateway, costPlusModel);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      decide(cast, id, index % 2 === 0 ? 'apply' : 'discard', {}),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer).toMatchObject(refusal('BUSINESS_OFFER_NO_PENDING_PRICE'));
  }
  expect(await decisionsOf(gateway, id)).toHaveLength(2);
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 4, pendingCostNet: null });
});

test('the last staged price is the one that is applied', async ({ gateway }) => {
  const { cast, id } = await stagedOffer(gateway, costPlusModel);
  const body = { cost: 50.5, costIsVatInclusive: false };
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, body));
  expect((await decide(cast, id, 'apply', { expectedVersion: 4 })).payload).toMatchObject({
    cost: { amount: 50.5, inputVat: 7.58, enteredVatInclusive: false, pending: null },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    net: 5050,
    sellNet: 6060,
    payoutNet: 5050,
  });
});

test('a staged price waits in the review queue, and its decision takes it out and tells the review', async ({
  gateway,
}) => {
  const { cast, id } = await stagedOffer(gateway, costPlusModel);
  const queue = async () =>
    itemsOf(
      await cast.by(
        'Reviewer',
        'GET',
        `/offers?vendorId=${cast.vendor.vendorId}&awaitingDecision=true`,
      ),
    ).map((item) => item['id']);
  expect(await queue()).toEqual([id]);
  const told = await messagesTo(gateway.sql, id);
  succeeded(await decide(cast, id, 'discard', {}));
  expect(await queue()).toEqual([]);
  expect(await messagesTo(gateway.sql, id)).toEqual([...told, 'offerReview']);
});

test('a price staged on an offer in review again may be applied alone: the offer itself still waits (D31)', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  expect((await cast.byVendor('PATCH', `/${id}`, edit)).payload).toMatchObject({
    status: 'PendingReview',
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: false });
  expect((await decide(cast, id, 'apply', {})).payload).toMatchObject({
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

test('approving an offer in review applies its staged price by one decision and one event (D60)', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  succeeded(await cast.byVendor('PATCH', `/${id}`, edit));
  await approveOffer(cast, id);
  expect(await read(cast, id)).toMatchObject({
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
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { barcode: '4006381333931' });
  const edit = { vendorSku: 'NEW', cost: 200, costIsVatInclusive: false };
  succeeded(await cast.byVendor('PATCH', `/${id}`, edit));
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
  expect(await read(cast, id)).toMatchObject({
    status: 'Rejected',
    cost: { amount: 100, pending: { amount: 200, inputVat: 30 } },
    awaitingDecision: false,
    supply: { netPrice: 100, isPaused: true },
  });
  succeeded(await cast.byVendor('PATCH', `/${id}`, { vendorSku: 'NEWER' }));
  await approveOffer(cast, id);
  expect(await read(cast, id)).toMatchObject({
    status: 'Approved',
    cost: { amount: 200, pending: null },
    supply: { netPrice: 200, isPaused: false },
  });
});

test.for(['suspend', 'withdraw'] as const)(
  'applying a price after %s does not let the offer sell again',
  async (move, { gateway }) => {
    const { cast, id } = await stagedOffer(gateway, costPlusModel);
    const moved =
      move === 'suspend'
        ? await cast.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'Recall.' })
        : await cast.byVendor('POST', `/${id}/withdraw`);
    const { payload } = succeeded(moved);
    succeeded(await decide(cast, id, 'apply', {}));
    expect(await read(cast, id)).toMatchObject({
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
  const { cast, id } = await stagedOffer(gateway, costPlusModel);
  const before = await everythingOf(gateway.sql, id);
  for (const action of actions) {
    const answer = await decide(cast, id, action, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(await everythingOf(gateway.sql, id)).toEqual(before);
});

test.for(actions)(
  '%s is for reviewers and administrators; an unknown offer is 404',
  async (action, { gateway }) => {
    const { cast, id } = await stagedOffer(gateway, costPlusModel);
    const path = `/offers/${id}/pending-price/${action}`;
    expect(await cast.by('Operations', 'POST', path, {})).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Reviewer' }),
    );
    const token = cast.vendor.token;
    const url = `/operator/v1${path}`;
    expect(await call(gateway, 'POST', url, { token, body: {} })).toMatchObject({
      status: 403,
      state: 'FORBIDDEN',
    });
    for (const unknown of [unknownId(), 'x']) {
      expect(await decide(cast, unknown, action, {})).toMatchObject(
        refusal('NOT_FOUND_VENDOR_OFFER'),
      );
    }
    expect(await cast.by('Admin', 'POST', path, {})).toMatchObject({ status: 200 });
  },
);
