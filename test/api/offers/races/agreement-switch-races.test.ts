import { expect } from 'vitest';
import { changeAgreement, followAll } from '../../accounts/agreements/offer-set.ts';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { textOf } from '../../../support/api/api.ts';
import { approvedOffer, newParties, submitOffer } from '../offer-record.ts';
import { newCost, race, raceTest as test, type Racer } from './offer-race-fixture.ts';
import { expectSound, readStoredOffers } from './stored-offers.ts';

const newSubject = async (gateway: Parameters<typeof newParties>[0]) => {
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

/** The answers come in this order. */
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

test(
  'a decision, a price, two moves and a new offer each come before a concurrent switch or after it',
  { timeout: 120_000 },
  async ({ gateway, parties }) => {
    const anyStatus: unknown = expect.any(Number);
    for (const { subject, answers } of await race(parties, () => newSubject(gateway), racers)) {
      const [switched, approved, pushed, , , made] = answers;
      const statuses = answers.map(({ status }) => status);
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
      for (const [index, [changes, operatorCommands]] of [
        isApproved ? [2, 1] : [1, 0],
        [isPriced ? 2 : 1, 0],
        [2, 0],
        [3, 1],
        [isMadeBefore ? 1 : 0, 0],
      ].entries()) {
        const offer = offers[index];
        if (offer !== undefined) expectSound(offer, changes ?? 0, operatorCommands ?? 0);
      }
    }
  },
);
