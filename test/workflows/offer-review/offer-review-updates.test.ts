import { expect, vi } from 'vitest';
import { changeAgreement } from '../../support/seeds/agreement.ts';
import { rejection, test, waiting } from './offer-review-fixture.ts';

test('continues a review after an edit, at its new version', async ({ party }) => {
  const offer = await party.submitted();
  const runId = await party.untilOpen(offer);

  const edited = await party.edit(offer, { rawProductName: 'Oud 50, new' });
  const details = { expectedVersion: 1, reviewVersion: 2 };
  expect(await party.decide(offer, party.approval(offer))).toMatchObject({
    failure: { code: 'CONFLICT_VERSION', details },
  });
  expect(await party.untilOpen(edited)).toBe(runId);
  const approved = { value: { version: 3 } };
  expect(await party.decide(edited, party.approval(edited))).toMatchObject(approved);
  await party.record(edited, 'edited');
});

test('ends a review at a withdrawal', async ({ party }) => {
  const offer = await party.submitted();
  const runId = await party.untilOpen(offer);

  await party.move(offer, 'withdraw');

  expect(await party.record(offer, 'withdrawn')).toBeNull();
  expect(await party.runId(offer)).toBe(runId);
  expect(await party.decide(offer, party.approval())).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' },
  });
  const after = { status: 'Withdrawn', version: 2, supply: null };
  expect(await party.stored(offer)).toMatchObject(after);
});

test('ends a review at an agreement switch', async ({ party }) => {
  const staged = await party.staged();
  const unmatched = await party.submitted({});
  await party.untilOpen(unmatched);
  const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1000 } as const;

  await changeAgreement(party.gateway.sql, party.vendorId, agreement);

  expect(await party.record(staged, 'repriced')).toBeNull();
  const runId = await party.runId(staged);
  const repriced = await party.push(staged, 'salePrice', 15_000);
  expect(await party.untilOpen(repriced)).not.toBe(runId);
  const approved = { value: { status: 'Approved' } };
  expect(await party.decide(repriced, party.approval())).toMatchObject(approved);
  expect(await party.sells(staged)).toEqual([15_000, '15000', 13_500, false]);
  // Its status does not change.
  expect((await party.run(unmatched).describe()).status.name).toBe('RUNNING');
});

test('starts a new run for a review after a rejection', async ({ party }) => {
  const offer = await party.submitted();
  await party.decide(offer, rejection);
  expect(await party.run(offer).result()).toMatchObject({ decision: 'Rejected' });
  const runId = await party.runId(offer);

  const again = await party.edit(offer, { rawProductName: 'Oud 50 ml' });

  expect(await party.untilOpen(again)).not.toBe(runId);
  expect(await party.decide(again, party.approval())).toMatchObject({ ok: true });
  expect(await party.record(offer, 'resubmitted')).toMatchObject({ decision: 'Approved' });
});

test('continues a review when the offer is resubmitted at once', async ({ party }) => {
  const offer = await party.submitted();
  await party.untilOpen(offer);

  await party.move(offer, 'withdraw');
  const again = await party.move(offer, 'submit');

  const messages = () => party.gateway.sql`select from outbox`;
  await vi.waitFor(async () => expect(await messages()).toHaveLength(0), waiting);
  await party.untilOpen(again);
  const approved = { value: { version: 4 } };
  expect(await party.decide(again, party.approval(again))).toMatchObject(approved);
  await party.record(again, 'withdrawn-and-resubmitted');
});
