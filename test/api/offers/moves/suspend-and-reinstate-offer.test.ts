import { expect } from 'vitest';
import type { Decisions } from '../../../../temporal/decisions.ts';
import { newOperator } from '../../support/actors.ts';
import { call, fieldErrorsOf, gatewayOver, refusal } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  approvedOffer,
  auditOf,
  byNumber,
  eventsOf,
  everythingOf,
  newParties,
  optionOf,
  rowOf,
  submitOffer,
  succeeded,
  type Parties,
} from '../offer-record.ts';

// Which status allows which move has its cases in the grid of `test/domain/offers/model`.

const away = () => Promise.reject(new Error('away'));

type Move = 'suspend' | 'reinstate';
const move = (parties: Parties, id: string, action: Move, body: unknown = { reason: 'Recall.' }) =>
  parties.by('Reviewer', 'POST', `/offers/${id}/${action}`, body);

test('suspends and reinstates an offer, with its history, audit entries and no event', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { variant, operatorIds } = parties;
  const id = await approvedOffer(parties, { declaredStockQuantity: 3 });
  const [option, events] = [await optionOf(gateway.sql, id), await eventsOf(gateway.sql, id)];
  const common = { variantId: variant.id, netHalalas: 10_000, stagedNetHalalas: null };
  for (const [action, from, to, version] of [
    ['suspend', 'Approved', 'Suspended', 2],
    ['reinstate', 'Suspended', 'Approved', 3],
  ] as const) {
    // The longest reason.
    const reason = '😀'.repeat(4000);
    const answer = await move(parties, id, action, { reason });
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const isPaused = to === 'Suspended';
    expect(answer.payload).toMatchObject({
      id,
      status: to,
      version: version + 1,
      awaitingDecision: false,
      review: { reviewedAt: expect.any(String), reason },
    });
    const read = succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`));
    expect(read.payload).toMatchObject({ ...answer.payload, supply: { isPaused } });
    expect(await optionOf(gateway.sql, id)).toEqual({ ...option, isPaused });
    const seen = succeeded(await parties.byVendor('GET', `/${id}?include=history`));
    expect(seen.payload).toMatchObject({ status: to, review: { reason } });
    const { history } = seen.payload as { history: unknown[] };
    expect(history.at(-1)).toMatchObject({ from, to, reason });
    expect(seen.text).not.toContain(operatorIds.Reviewer);
    expect((await auditOf(gateway.sql, id)).at(-1)).toEqual({
      operatorId: operatorIds.Reviewer,
      action: `offer.${action}`,
      subjectType: 'offer',
      requestId: 'req-7',
      before: { ...common, status: from, version },
      after: { ...common, status: to, version: version + 1, reason },
    });
    expect(await rowOf(gateway.sql, id)).toMatchObject({ reviewedBy: operatorIds.Reviewer });
  }
  expect(await eventsOf(gateway.sql, id)).toEqual(events);
});

test('works while Temporal is away', async ({ gateway }) => {
  const id = await approvedOffer(await newParties(gateway));
  const decisions: Decisions = { decideOffer: away, decideReturn: away };
  const { app } = await gatewayOver(gateway.sql, { decisions });
  const { token } = await newOperator(gateway, ['Reviewer']);
  for (const action of ['suspend', 'reinstate']) {
    const url = `/operator/v1/offers/${id}/${action}`;
    expect((await call({ app }, 'POST', url, { token, body: { reason: 'x' } })).status).toBe(200);
  }
  await app.close();
});

test('makes one of ten suspensions at once', async ({ gateway }) => {
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
  ['suspend', 'PendingReview', submitOffer],
  ['reinstate', 'Approved', approvedOffer],
] as const)(
  'refuses %s from %s, and stores nothing',
  async ([action, status, make], { gateway }) => {
    const parties = await newParties(gateway);
    const id = await make(parties);
    const before = await everythingOf(gateway.sql, id);
    expect(await move(parties, id, action)).toMatchObject(
      refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action }),
    );
    for (const [body, error] of [
      [{}, 'Reason required'],
      [{ reason: null }, 'Reason invalid_type'],
      [{ reason: ' \n' }, 'Reason required'],
      [{ reason: 'x'.repeat(4001) }, 'Reason too_long'],
      [{ reason: 'x', expectedVersion: 2 }, 'ExpectedVersion unknown_field'],
    ])
      expect(fieldErrorsOf(await move(parties, id, action, body))).toEqual([error]);
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  },
);
