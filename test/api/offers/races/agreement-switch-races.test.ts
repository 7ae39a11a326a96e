import { expect } from 'vitest';
import { changeAgreement, followAll } from '../../accounts/agreements/offer-set.ts';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { textOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { approvedOffer, newParties, submitOffer, succeeded } from '../offer-record.ts';
import { newCost, race, raceTest, type Racer } from './offer-race-fixture.ts';
import { expectSound, readStoredOffers, type StoredOffer } from './stored-offers.ts';

type OfferName = 'review' | 'priced' | 'draft' | 'live' | 'created';
type Round = {
  readonly answers: readonly Answer[];
  /** Each offer as an operator reads it, right after the calls and after the switch is stored. */
  readonly reads: { readonly before: unknown; readonly after: unknown };
  readonly stored: Readonly<Record<OfferName, StoredOffer>>;
};

const newSubject = async (gateway: Gateway) => {
  const parties = await newParties(gateway);
  const [review, priced, draft, live] = await Promise.all([
    submitOffer(parties),
    submitOffer(parties),
    submitOffer(parties, { saveAsDraft: true }),
    approvedOffer(parties),
  ]);
  return { parties, ids: { review, priced, draft, live } };
};
type Subject = Awaited<ReturnType<typeof newSubject>>;

/** The answers come in this order. */
const racers: readonly Racer<Subject>[] = [
  (_, { parties }) => changeAgreement(parties, 'PercentageOfSale'),
  (_, { parties, ids }) =>
    parties.by('Reviewer', 'POST', `/offers/${ids.review}/approve`, { expectedVersion: 1 }),
  (_, { parties, ids }) => parties.byVendor('PATCH', `/${ids.priced}/cost`, newCost),
  (_, { parties, ids }) => parties.byVendor('POST', `/${ids.draft}/submit`),
  (_, { parties, ids }) => parties.byVendor('POST', `/${ids.live}/withdraw`),
  (_, { parties }) =>
    parties.byVendor('POST', '', { ...freeFormOffer, variantId: parties.variant.id }),
];

async function readRound(
  { sql }: Gateway,
  { parties, ids }: Subject,
  answers: readonly Answer[],
): Promise<Round> {
  const created = answers.at(-1);
  if (created === undefined) throw new Error('no answer to the create');
  const all: Readonly<Record<OfferName, string>> = {
    ...ids,
    created: textOf(succeeded(created), 'id'),
  };
  const reads = () =>
    Promise.all(
      Object.values(all).map(async (id) => {
        const { payload } = succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`));
        return { ...payload, supply: null };
      }),
    );
  const before = await reads();
  await followAll(sql, parties.vendor.vendorId);
  const after = await reads();
  const rows = await readStoredOffers(sql, Object.values(all));
  const stored = Object.fromEntries(
    Object.keys(all).map((name, index) => [name, rows[index]]),
  ) as Round['stored'];
  return { answers, reads: { before, after }, stored };
}

const test = raceTest.extend('switchRounds', { scope: 'file' }, async ({ gateway, parties }) => {
  const outcomes = await race(parties, () => newSubject(gateway), racers);
  const rounds: Round[] = [];
  for (const { subject, answers } of outcomes)
    rounds.push(await readRound(gateway, subject, answers));
  return rounds;
});

test(
  'a decision, a price, two moves and a new offer each come before a concurrent switch or after it',
  { timeout: 120_000 },
  ({ switchRounds }) => {
    for (const { answers, reads, stored } of switchRounds) {
      const [, approved, priced] = answers;
      expect(answers.map(({ status }) => status)).toEqual([
        200,
        expect.any(Number),
        expect.any(Number),
        200,
        200,
        201,
      ]);
      expect(reads.after).toEqual(reads.before);
      // The switch moves an offer approved before it. After it, nothing waits for an approval.
      const isApproved = approved?.status === 200;
      expectSound(stored.review, isApproved ? 2 : 1, isApproved ? 1 : 0);
      expect(stored.review.statuses).toBe(
        `PendingReview > ${isApproved ? 'Approved > ' : ''}PendingRepricing`,
      );
      if (!isApproved)
        // The switch counts for the review version at once (D83).
        expect(approved?.state).toBe('CONFLICT_VERSION');
      // After the switch, a cost is no longer the agreement's price.
      const isPriced = priced?.status === 200;
      expectSound(stored.priced, isPriced ? 2 : 1, 0);
      expect(stored.priced).toMatchObject({
        statuses: 'PendingReview > PendingRepricing',
        costNet: isPriced ? 15_000 : 10_000,
      });
      if (!isPriced) expect(priced?.state).toBe('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
      expectSound(stored.draft, 2, 0);
      expectSound(stored.live, 3, 1);
      expectSound(stored.created, stored.created.statuses === 'PendingReview' ? 0 : 1, 0);
    }
  },
);

test('the switch counts exactly the offers that it moves to PendingRepricing', ({
  switchRounds,
}) => {
  for (const { answers, stored } of switchRounds) {
    const statuses = Object.values(stored).map((offer) => offer.statuses);
    expect(answers[0]?.payload?.['offersMovedToRepricing'], statuses.join('; ')).toBe(
      statuses.filter((text) => text.includes('PendingRepricing')).length,
    );
  }
});
