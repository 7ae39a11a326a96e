import { describe, expect } from 'vitest';
import type { Decisions } from '../../../temporal/decisions.ts';
import { newOperator } from '../support/actors.ts';
import { call, fieldErrorsOf, gatewayOver, itemsOf, refusal, unknownId } from '../support/api.ts';
import {
  byNumber,
  approvedOffer,
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

type Move = 'suspend' | 'reinstate';
const moves: readonly Move[] = ['suspend', 'reinstate'];

const move = (cast: Cast, id: string, action: Move, body: unknown = { reason: 'Recall.' }) =>
  cast.by('Reviewer', 'POST', `/offers/${id}/${action}`, body);
const read = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'GET', `/offers/${id}`)).payload;
const pushStock = async (cast: Cast, id: string, declaredStockQuantity: number) =>
  succeeded(
    await cast.byVendor('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity }),
  );

async function suspendedOffer(cast: Cast, given: Readonly<Record<string, unknown>> = {}) {
  const id = await approvedOffer(cast, given);
  succeeded(await move(cast, id, 'suspend'));
  return id;
}

test('suspending stops an offer selling at once, and tells the vendor why and not who', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { declaredStockQuantity: 3 });
  const answer = await move(cast, id, 'suspend');
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toMatchObject({
    id,
    status: 'Suspended',
    version: 3,
    awaitingDecision: false,
    review: { reviewedAt: expect.any(String), reason: 'Recall.' },
  });
  expect(await read(cast, id)).toMatchObject({
    ...answer.payload,
    supply: { isPaused: true, stockQuantity: 3, netPrice: 100 },
  });
  const seen = succeeded(await cast.byVendor('GET', `/${id}?include=history`));
  expect(seen.payload).toMatchObject({
    status: 'Suspended',
    review: { reason: 'Recall.' },
    history: [
      { from: null, to: 'PendingReview', reason: null },
      { from: 'PendingReview', to: 'Approved', reason: null },
      { from: 'Approved', to: 'Suspended', reason: 'Recall.' },
    ],
  });
  expect(seen.text).not.toContain(cast.operatorIds.Reviewer);
});

test('reinstating lets it sell again, as it was approved', async ({ gateway }) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { declaredStockQuantity: 3 });
  const option = await optionOf(gateway.sql, id);
  succeeded(await move(cast, id, 'suspend'));
  const answer = await move(cast, id, 'reinstate', { reason: 'Checked.' });
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
  const cast = await castOf(gateway);
  const id = action === 'suspend' ? await approvedOffer(cast) : await suspendedOffer(cast);
  const { variant, operatorIds } = cast;
  const events = await eventsOf(gateway.sql, id);
  const version = Number((await rowOf(gateway.sql, id))?.['version']);
  succeeded(await move(cast, id, action));
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
  const cast = await castOf(gateway);
  const id = await suspendedOffer(cast, { declaredStockQuantity: 3 });
  await pushStock(cast, id, 8);
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    stockQuantity: 8,
    inStock: true,
    isPaused: true,
  });
  succeeded(await move(cast, id, 'reinstate'));
  expect(await optionOf(gateway.sql, id)).toMatchObject({
    stockQuantity: 8,
    inStock: true,
    isPaused: false,
  });
});

test('an edit on a suspended offer is stored and moves nothing; a price is staged, and waits after reinstating', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await suspendedOffer(cast);
  const edited = await cast.byVendor('PATCH', `/${id}`, { cost: 150, costIsVatInclusive: false });
  expect(edited.payload).toMatchObject({
    status: 'Suspended',
    cost: { amount: 100, pending: { amount: 150 } },
  });
  expect(await read(cast, id)).toMatchObject({
    awaitingDecision: false,
    supply: { isPaused: true },
  });
  const answer = await move(cast, id, 'reinstate');
  expect(answer.payload).toMatchObject({ status: 'Approved', awaitingDecision: true });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: false });
  const queue = await cast.by(
    'Reviewer',
    'GET',
    `/offers?vendorId=${cast.vendor.vendorId}&awaitingDecision=true`,
  );
  expect(itemsOf(queue).map((item) => item['id'])).toEqual([id]);
});

test('an offer whose identity was changed while it was suspended is reviewed before it sells again', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await suspendedOffer(cast);
  expect((await cast.byVendor('PATCH', `/${id}`, { vendorSku: 'NEW' })).payload).toMatchObject({
    status: 'Suspended',
  });
  expect((await move(cast, id, 'reinstate')).payload).toMatchObject({
    status: 'PendingReview',
    awaitingDecision: true,
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true });
});

test('suspending an offer with a staged price takes it out of the queue and tells its review', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, { cost: 150, costIsVatInclusive: false }));
  const told = await messagesTo(gateway.sql, id);
  expect((await move(cast, id, 'suspend')).payload).toMatchObject({
    awaitingDecision: false,
    cost: { pending: { amount: 150 } },
  });
  expect(await messagesTo(gateway.sql, id)).toEqual([...told, 'offerReview']);
});

/** A way to each status. */
const offerIn: Readonly<Record<string, (cast: Cast) => Promise<string>>> = {
  Draft: (cast) => submitOffer(cast, { saveAsDraft: true }),
  PendingMatch: (cast) => submitOffer(cast, { variantId: null }),
  PendingReview: (cast) => submitOffer(cast),
  Approved: (cast) => approvedOffer(cast),
  Rejected: async (cast) => {
    const id = await submitOffer(cast);
    succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
    return id;
  },
  Withdrawn: async (cast) => {
    const id = await approvedOffer(cast);
    succeeded(await cast.byVendor('POST', `/${id}/withdraw`));
    return id;
  },
  Suspended: (cast) => suspendedOffer(cast),
  PendingRepricing: async (cast) => {
    const id = await approvedOffer(cast);
    const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 10 };
    succeeded(
      await cast.by('Admin', 'PATCH', `/vendors/${cast.vendor.vendorId}/agreement`, agreement),
    );
    return id;
  },
};

describe.each(Object.keys(offerIn))('from %s', (status) => {
  const refusedMoves = moves.filter(
    (action) => status !== (action === 'suspend' ? 'Approved' : 'Suspended'),
  );
  test.for(refusedMoves)('%s is 422, and changes nothing', async (action, { gateway }) => {
    const cast = await castOf(gateway);
    const id = (await offerIn[status]?.(cast)) ?? '';
    const before = await everythingOf(gateway.sql, id);
    expect(await move(cast, id, action)).toMatchObject(
      refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action }),
    );
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  });
});

test('of ten suspensions at once one is made', async ({ gateway }) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  const answers = await Promise.all(Array.from({ length: 10 }, () => move(cast, id, 'suspend')));
  expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
    200,
    ...Array<number>(9).fill(422),
  ]);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Suspended', version: 3 });
  expect(await auditOf(gateway.sql, id)).toHaveLength(2);
});

const away = () => Promise.reject(new Error('away'));

test('an offer can be stopped and reinstated while Temporal is away', async ({ gateway }) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  const decisions: Decisions = { decideOffer: away, decideReturn: away };
  const { app } = await gatewayOver(gateway.sql, { decisions });
  const { token } = await newOperator(gateway, ['Reviewer']);
  for (const [action, status] of [
    ['suspend', 'Suspended'],
    ['reinstate', 'Approved'],
  ]) {
    const url = `/operator/v1/offers/${id}/${action}`;
    const answer = await call({ app }, 'POST', url, { token, body: { reason: 'x' } });
    expect(answer).toMatchObject({ status: 200, payload: { status } });
  }
  await app.close();
});

test.for([
  [{}, ['Reason required']],
  [{ reason: null }, ['Reason invalid_type']],
  [{ reason: ' \n' }, ['Reason required']],
  [{ reason: 5 }, ['Reason invalid_type']],
  [{ reason: 'x'.repeat(4001) }, ['Reason too_long']],
  [{ reason: 'a\0' }, ['Reason invalid_characters']],
  [{ reason: '\ud800' }, ['Reason invalid_characters']],
  [{ reason: 'x', expectedVersion: 2 }, ['ExpectedVersion unknown_field']],
] as const)('the body %j is 400, and changes nothing', async ([body, errors], { gateway }) => {
  const cast = await castOf(gateway);
  const live = await approvedOffer(cast);
  const before = await everythingOf(gateway.sql, live);
  for (const action of moves) {
    const answer = await move(cast, live, action, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(await everythingOf(gateway.sql, live)).toEqual(before);
});

test('a reason of 4,000 characters is kept whole', async ({ gateway }) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  const reason = '😀'.repeat(4000);
  expect((await move(cast, id, 'suspend', { reason })).payload).toMatchObject({
    review: { reason },
  });
});

test.for(moves)(
  '%s is for reviewers and administrators; an unknown offer is 404',
  async (action, { gateway }) => {
    const cast = await castOf(gateway);
    const id = action === 'suspend' ? await approvedOffer(cast) : await suspendedOffer(cast);
    const path = `/offers/${id}/${action}`;
    const body = { reason: 'x' };
    expect(await cast.by('Operations', 'POST', path, body)).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Reviewer' }),
    );
    const byVendor = await call(gateway, 'POST', `/operator/v1${path}`, {
      token: cast.vendor.token,
      body,
    });
    expect(byVendor).toMatchObject({ status: 403, state: 'FORBIDDEN' });
    for (const unknown of [unknownId(), 'x']) {
      expect(await move(cast, unknown, action)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    }
    expect(await cast.by('Admin', 'POST', path, body)).toMatchObject({ status: 200 });
  },
);
