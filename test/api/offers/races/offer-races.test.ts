import { expect } from 'vitest';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { fieldErrorsOf, refusal, textOf, type Gateway } from '../../../support/api/api.ts';
import { changeAgreement, followAll } from '../../accounts/agreements/offer-set.ts';
import { approvedOffer, byNumber, newParties, submitOffer } from '../offer-record.ts';
import {
  apply,
  approve,
  decide,
  expectSound,
  inReview,
  inReviewAgain,
  live,
  liveWithStagedPrice,
  newCost,
  patch,
  pushStock,
  race,
  raceTest,
  readStoredOffers,
  reject,
  suspend,
  withdraw,
  type Racer,
  type SetUp,
} from './offer-race-fixture.ts';
import { raceRounds } from '../../../support/race-rounds.ts';

const inMatching: SetUp<string> = (parties) => submitOffer(parties, { variantId: null });
const approveRead = decide('approve', { expectedVersion: 1 });
const approveMatched: Racer<string> = (parties, id) =>
  decide('approve', { variantId: parties.variant.id, expectedVersion: 1 })(parties, id, 0);
const edit = patch({ vendorSku: 'NEW' });
const barcode = '96385074';
const editBarcode = patch({ barcode });
const editPrice = patch(newCost);
const pushPrice = patch(newCost, '/cost');

/** What is stored after one order of the calls, and what a refused call returns. */
type Outcome = readonly [changes: number, decisions: number, offer: object, refused?: object];

/** Races calls; `outcomes` by the statuses of their responses, in the order of the racers. */
const test = (
  what: string,
  setUp: SetUp<string>,
  racers: readonly Racer<string>[],
  outcomes: Readonly<Record<string, Outcome>>,
): void =>
  raceTest(`stores ${what} as if one came after the other`, async ({ gateway, parties }) => {
    const raced = await race(parties, setUp, racers);
    const ids = raced.map(({ subject }) => subject);
    const stored = await readStoredOffers(gateway.sql, ids);
    for (const [index, { responses }] of raced.entries()) {
      const statuses = responses.map(({ status }) => status).join(' ');
      const { [statuses]: outcome } = outcomes;
      const offer = stored[index];
      if (outcome === undefined || offer === undefined) throw new Error(`answered ${statuses}`);
      const [changes, operatorCommands, expected, refused = {}] = outcome;
      expectSound(offer, changes, operatorCommands);
      expect(offer).toMatchObject(expected);
      for (const [position, response] of responses.entries()) {
        if (response.status >= 300) expect(response).toMatchObject(refused);
        else if (racers[position] === approve)
          expect(response.payload).toMatchObject({ supplyOptionId: offer.option?.id });
        else if (racers[position] === edit) expect(offer.vendorSku).toBe('NEW');
      }
    }
  });

const invalid = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });
const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 1, reviewVersion: 2 });
const paused = { option: { isPaused: true } };
const stagedPrice = { costNet: 10_000, pendingCostNet: 15_000 };
const livePrice = { costNet: 15_000, pendingCostNet: null };

// An approval never meets what the reviewer has not read (D83).
test('an approval and an edit', inReview, [approveRead, edit], {
  '200 200': [2, 1, { statuses: 'PendingReview > Approved > PendingReview' }],
  '409 200': [1, 0, { status: 'PendingReview', option: null }, conflict],
});
for (const [how, change] of [
  ['an edit', editPrice],
  ['a push', pushPrice],
] as const)
  test(`an approval and ${how} of a price`, inReview, [approveRead, change], {
    '200 200': [2, 1, { statuses: 'PendingReview > Approved', ...stagedPrice }],
    '409 200': [1, 0, livePrice, conflict],
  });
test('an approval and a first barcode', inMatching, [approveMatched, editBarcode], {
  '200 200': [2, 1, { statuses: 'PendingMatch > Approved > PendingReview', barcode }],
  '409 200': [1, 0, { barcode }, conflict],
});

// Rejected with the change, or resubmitted by it.
const statuses: unknown = expect.stringMatching(/^PendingReview > Rejected( > PendingReview)?$/);
for (const [how, change] of [
  ['an edit', edit],
  ['an edit of a price', editPrice],
  ['a push of a price', pushPrice],
  ['an edit of the barcode', editBarcode],
] as const)
  test(`a rejection and ${how}`, inReview, [reject, change], {
    '200 200': [2, 1, { statuses }],
  });
test('a rejection and an edit of an offer that sells', inReviewAgain, [reject, edit], {
  '200 200': [4, 2, paused],
});

test('an approval and a rejection', inReview, [approve, reject], {
  '200 422': [1, 1, { status: 'Approved' }, invalid('Approved', 'reject')],
  '422 200': [1, 1, { status: 'Rejected', option: null }, invalid('Rejected', 'approve')],
});
test('two approvals', inReview, [approve, approve], {
  '200 422': [1, 1, { status: 'Approved' }, invalid('Approved', 'approve')],
  '422 200': [1, 1, { status: 'Approved' }, invalid('Approved', 'approve')],
});
const pushes = [11, 12, 13, 14, 15].map(pushStock);
test('an approval and stock pushes', inReview, [approve, ...pushes], {
  '200 200 200 200 200 200': [6, 1, { statuses: 'PendingReview > Approved' }],
});
test('an approval and a withdrawal', inReview, [approve, withdraw], {
  '200 200': [2, 1, { status: 'Withdrawn', ...paused }],
  '422 200': [1, 0, { status: 'Withdrawn', option: null }, invalid('Withdrawn', 'approve')],
});
const stockAndWithdrawal = [approve, pushStock(11), withdraw, pushStock(12)];
test('an approval, a withdrawal and stock pushes', inReview, stockAndWithdrawal, {
  '200 200 200 200': [4, 1, { status: 'Withdrawn', ...paused }],
  '422 200 200 200': [3, 0, { status: 'Withdrawn', option: null }],
});
test('an approval and a suspension', inReview, [approve, suspend], {
  '200 200': [2, 2, { status: 'Suspended' }],
  '200 422': [1, 1, { status: 'Approved' }, invalid('PendingReview', 'suspend')],
});
test('a suspension and a push of a price', live, [suspend, pushPrice], {
  '200 200': [3, 2, { status: 'Suspended', ...stagedPrice }],
});
test('an applied price and a suspension', liveWithStagedPrice, [apply, suspend], {
  '200 200': [4, 3, { status: 'Suspended', ...livePrice, ...paused }],
});
test('an applied price and a withdrawal', liveWithStagedPrice, [apply, withdraw], {
  '200 200': [4, 2, { status: 'Withdrawn', ...livePrice, ...paused }],
});

const create: Racer<string> = (parties, vendorExternalId) =>
  parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId });

raceTest(
  'stores one offer by twenty creates with one vendorExternalId; returns one 201, one body',
  async ({ gateway, parties }) => {
    const twenty = Array.from({ length: 20 }, () => create);
    const outcomes = await race(parties, async (_parties, round) => `race ${round}`, twenty);
    const ids = outcomes.map(({ responses }) => {
      const statuses = responses.map(({ status }) => status).toSorted(byNumber);
      expect(statuses).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(responses.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
      return String(responses[0]?.payload?.['id']);
    });
    for (const offer of await readStoredOffers(gateway.sql, ids)) expectSound(offer, 0, 0);
    const keys = outcomes.map(({ subject }) => subject);
    const stored = await gateway.sql`select from offers where vendor_external_id = any(${keys})`;
    expect(stored).toHaveLength(raceRounds);
  },
);

const takeKey =
  (index: 0 | 1): Racer<readonly [string, string]> =>
  (parties, ids, round) =>
    patch({ vendorExternalId: `taken ${round}` })(parties, ids[index], round);

raceTest(
  'gives one vendorExternalId to one of two offers at once, and refuses the other',
  async ({ gateway, parties }) => {
    const newPair = () => Promise.all([submitOffer(parties), submitOffer(parties)]);
    for (const { subject, responses } of await race(parties, newPair, [takeKey(0), takeKey(1)])) {
      expect(responses.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400]);
      const stored = await readStoredOffers(gateway.sql, subject);
      for (const [index, offer] of stored.entries()) {
        const response = responses[index];
        const isTaken = response?.status === 400;
        expectSound(offer, isTaken ? 0 : 1, 0);
        expect(offer.vendorExternalId === null).toBe(isTaken);
        if (isTaken) expect(fieldErrorsOf(response)).toEqual(['VendorExternalId taken']);
      }
    }
  },
);

const newSubject = async (gateway: Gateway) => {
  const parties = await newParties(gateway);
  const [review, priced, draft, live] = await Promise.all([
    submitOffer(parties),
    submitOffer(parties),
    submitOffer(parties, { saveAsDraft: true }),
    approvedOffer(parties),
  ]);
  return { parties, review, priced, draft, live };
};
type Subject = Awaited<ReturnType<typeof newSubject>>;

/** The responses come in this order. */
const racers: readonly Racer<Subject>[] = [
  (_, { parties }) => changeAgreement(parties, 'PercentageOfSale'),
  (_, { parties, review }) =>
    parties.by('Reviewer', 'POST', `/offers/${review}/approve`, { expectedVersion: 1 }),
  (_, { parties, priced }) => parties.byVendor('PATCH', `/${priced}/cost`, newCost),
  (_, { parties, draft }) => parties.byVendor('POST', `/${draft}/submit`),
  (_, { parties, live }) => parties.byVendor('POST', `/${live}/withdraw`),
  (_, { parties }) =>
    parties.byVendor('POST', '', { ...freeFormOffer, variantId: parties.variant.id }),
];

raceTest(
  'stores a decision, a price, two moves and a new offer as if before or after a concurrent switch',
  { timeout: 60_000 + raceRounds * 3000 },
  async ({ gateway, parties }) => {
    const anyStatus: unknown = expect.any(Number);
    for (const { subject, responses } of await race(parties, () => newSubject(gateway), racers)) {
      const [switched, approved, pushed, , , made] = responses;
      const statuses = responses.map(({ status }) => status);
      expect(statuses).toEqual([200, anyStatus, anyStatus, 200, 200, 201]);
      await followAll(gateway.sql, subject.parties.vendor.vendorId);
      const { review, priced, draft, live } = subject;
      const ids = [review, priced, draft, live, made === undefined ? '' : textOf(made, 'id')];
      const offers = await readStoredOffers(gateway.sql, ids);
      const isApproved = approved?.status === 200;
      const isPriced = pushed?.status === 200;
      // The switch moves an offer approved before it. After it, nothing waits for an approval: the
      // switch counts for the review version at once (D83).
      if (!isApproved) expect(approved?.state).toBe('CONFLICT_VERSION');
      // After the switch, a cost is no longer the agreement's price.
      if (!isPriced) expect(pushed?.state).toBe('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
      expect(offers).toMatchObject([
        { statuses: `PendingReview > ${isApproved ? 'Approved > ' : ''}PendingRepricing` },
        { statuses: 'PendingReview > PendingRepricing', costNet: isPriced ? 15_000 : 10_000 },
        {},
        {},
        {},
      ]);
      const moved = offers.filter((offer) => offer.statuses.includes('PendingRepricing'));
      expect(switched?.payload).toMatchObject({ offersMovedToRepricing: moved.length });
      const isMadeBefore = offers[4]?.statuses !== 'PendingReview';
      const counts = [
        isApproved ? [2, 1] : [1, 0],
        [isPriced ? 2 : 1, 0],
        [2, 0],
        [3, 1],
        [isMadeBefore ? 1 : 0, 0],
      ];
      for (const [index, offer] of offers.entries()) {
        const [changes = 0, operatorCommands = 0] = counts[index] ?? [];
        expectSound(offer, changes, operatorCommands);
      }
    }
  },
);
