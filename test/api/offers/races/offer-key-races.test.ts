import { expect } from 'vitest';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { fieldErrorsOf, textOf } from '../../../support/api/api.ts';
import { byNumber, submitOffer } from '../offer-record.ts';
import { isOk, patch, race, rounds, raceTest as test, type Racer } from './offer-race-fixture.ts';
import { expectSound, readStoredOffers } from './stored-offers.ts';

const create: Racer<string> = (parties, vendorExternalId) =>
  parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId });

test('twenty creates with one vendorExternalId: one offer, one 201, one body', async ({
  gateway,
  parties,
}) => {
  const outcomes = await race(
    parties,
    async (_cast, round) => `race ${round}`,
    Array.from({ length: 20 }, () => create),
  );
  for (const { answers } of outcomes) {
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
  }
  const ids = outcomes.map(({ answers: [answer] }) =>
    answer === undefined ? '' : textOf(answer, 'id'),
  );
  for (const offer of await readStoredOffers(gateway.sql, ids)) expectSound(offer, 0, 0);
  const keys = outcomes.map(({ subject }) => subject);
  expect(
    await gateway.sql`select id from offers where vendor_external_id = any(${keys})`,
  ).toHaveLength(rounds);
});

const takeKey =
  (index: 0 | 1): Racer<readonly [string, string]> =>
  (parties, ids, round) =>
    patch({ vendorExternalId: `taken ${round}` })(parties, ids[index], round);

test('one vendorExternalId for two offers at once: one gets it, for the other it is taken', async ({
  gateway,
  parties,
}) => {
  const outcomes = await race(
    parties,
    () => Promise.all([submitOffer(parties), submitOffer(parties)]),
    [takeKey(0), takeKey(1)],
  );
  const stored = await readStoredOffers(
    gateway.sql,
    outcomes.flatMap(({ subject }) => subject),
  );
  for (const { subject, answers } of outcomes) {
    expect(answers.map(({ status }) => status).toSorted(byNumber)).toEqual([200, 400]);
    for (const [index, answer] of answers.entries()) {
      const offer = stored.find(({ id }) => id === subject[index]);
      if (offer === undefined) throw new Error('an offer for each');
      expectSound(offer, isOk(answer) ? 1 : 0, 0);
      expect(offer.vendorExternalId === null).toBe(!isOk(answer));
      if (!isOk(answer)) expect(fieldErrorsOf(answer)).toEqual(['VendorExternalId taken']);
    }
  }
});
