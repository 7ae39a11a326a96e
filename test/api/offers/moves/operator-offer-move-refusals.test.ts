import { describe, expect } from 'vitest';
import type { Decisions } from '../../../../temporal/decisions.ts';
import { newOperator } from '../../support/actors.ts';
import { call, fieldErrorsOf, gatewayOver, refusal, unknownId } from '../../support/api.ts';
import {
  byNumber,
  approvedOffer,
  auditOf,
  newParties,
  everythingOf,
  rowOf,
  submitOffer,
  succeeded,
  type Parties,
} from '../offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { type Move, move, suspendedOffer } from './operator-offer-moves-fixture.ts';

const moves: readonly Move[] = ['suspend', 'reinstate'];

/** A way to each status. */
const offerIn: Readonly<Record<string, (parties: Parties) => Promise<string>>> = {
  Draft: (parties) => submitOffer(parties, { saveAsDraft: true }),
  PendingMatch: (parties) => submitOffer(parties, { variantId: null }),
  PendingReview: (parties) => submitOffer(parties),
  Approved: (parties) => approvedOffer(parties),
  Rejected: async (parties) => {
    const id = await submitOffer(parties);
    succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/reject`, { reason: 'No.' }));
    return id;
  },
  Withdrawn: async (parties) => {
    const id = await approvedOffer(parties);
    succeeded(await parties.byVendor('POST', `/${id}/withdraw`));
    return id;
  },
  Suspended: (parties) => suspendedOffer(parties),
  PendingRepricing: async (parties) => {
    const id = await approvedOffer(parties);
    const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 10 };
    succeeded(
      await parties.by(
        'Admin',
        'PATCH',
        `/vendors/${parties.vendor.vendorId}/agreement`,
        agreement,
      ),
    );
    return id;
  },
};

describe.each(Object.keys(offerIn))('from %s', (status) => {
  const refusedMoves = moves.filter(
    (action) => status !== (action === 'suspend' ? 'Approved' : 'Suspended'),
  );
  test.for(refusedMoves)('%s is 422, and changes nothing', async (action, { gateway }) => {
    const parties = await newParties(gateway);
    const id = (await offerIn[status]?.(parties)) ?? '';
    const before = await everythingOf(gateway.sql, id);
    expect(await move(parties, id, action)).toMatchObject(
      refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action }),
    );
    expect(await everythingOf(gateway.sql, id)).toEqual(before);
  });
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

const away = () => Promise.reject(new Error('away'));

test('an offer can be stopped and reinstated while Temporal is away', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
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
  const parties = await newParties(gateway);
  const live = await approvedOffer(parties);
  const before = await everythingOf(gateway.sql, live);
  for (const action of moves) {
    const answer = await move(parties, live, action, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(fieldErrorsOf(answer)).toEqual(errors);
  }
  expect(await everythingOf(gateway.sql, live)).toEqual(before);
});

test('a reason of 4,000 characters is kept whole', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const reason = '😀'.repeat(4000);
  expect((await move(parties, id, 'suspend', { reason })).payload).toMatchObject({
    review: { reason },
  });
});

test.for(moves)(
  '%s is for reviewers and administrators; an unknown offer is 404',
  async (action, { gateway }) => {
    const parties = await newParties(gateway);
    const id = action === 'suspend' ? await approvedOffer(parties) : await suspendedOffer(parties);
    const path = `/offers/${id}/${action}`;
    const body = { reason: 'x' };
    expect(await parties.by('Operations', 'POST', path, body)).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Reviewer' }),
    );
    const byVendor = await call(gateway, 'POST', `/operator/v1${path}`, {
      token: parties.vendor.token,
      body,
    });
    expect(byVendor).toMatchObject({ status: 403, state: 'FORBIDDEN' });
    for (const unknown of [unknownId(), 'x']) {
      expect(await move(parties, unknown, action)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    }
    expect(await parties.by('Admin', 'POST', path, body)).toMatchObject({ status: 200 });
  },
);
