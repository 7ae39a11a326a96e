import { expect, vi } from 'vitest';
import { reviewVersionOf, type Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { sendDecision } from '../../support/gateway/runs.ts';
import { readableHistory } from '../../support/history.ts';
import { changeAgreement } from '../../support/seeds/agreement.ts';
import { seedCommand } from '../../support/seeds/seed.ts';
import { decisionOn, rejection, test, waiting, type Party } from './offer-review-fixture.ts';

test('opens for a submitted offer and ends with its approval', async ({ party }) => {
  const { variantId } = party;
  const offer = await party.submitted({});
  await party.untilOpen(offer);
  const value = { decision: 'Approved', status: 'Approved', isAwaitingDecision: false, version: 2 };
  expect(await party.decide(offer, party.approval())).toMatchObject({ ok: true, value });
  await party.record(offer, 'approved');
  const supply = { isPaused: false };
  const after = { status: 'Approved', variantId, barcode: '4006381333931', supply };
  expect(await party.stored(offer)).toMatchObject(after);
});

test('ends with a rejection, and shows who decided but no free text', async ({ party }) => {
  const { gateway, operator } = party;
  const offer = await party.submitted({});
  await party.untilOpen(offer);
  const value = { decision: 'Rejected', status: 'Rejected' };
  expect(await party.decide(offer, rejection)).toMatchObject({ ok: true, value });
  await party.record(offer, 'rejected');
  const { reason } = rejection;
  expect(await party.stored(offer)).toMatchObject({ status: 'Rejected', reviewReason: reason });
  const history = await readableHistory(gateway.client, offerReviewId(offer.id));
  expect(history).toContain(operator.operatorId);
  for (const text of [reason, 'Maison Dahab']) expect(history).not.toContain(text);
});

test('is started by a decision when no run is open', async ({ party }) => {
  const offer = await party.submitted({ saveAsDraft: true });
  expect(await party.decide(offer, rejection)).toMatchObject({ value: { status: 'Rejected' } });
  await party.record(offer, 'started-by-decision');
});

test('replays in any order of start and decision', async ({ party }) => {
  for (let round = 0; round < 15; round += 1) {
    const offer = await party.submitted({ saveAsDraft: round % 2 === 0 });
    await party.decide(offer, rejection);
    await party.replay(offer);
  }
});

type Racer = (party: Party, offer: Offer) => Promise<object>;
const submit = (party: Party) => party.submitted();
const stage = (party: Party) => party.staged();
const approve: Racer = (party, offer) => party.decide(offer, party.approval(offer));
const reject: Racer = (party, offer) => party.decide(offer, rejection);
const apply: Racer = (party, offer) => party.decide(offer, decisionOn('applyPrice'));
const discard: Racer = (party, offer) => party.decide(offer, decisionOn('discardPrice'));
const edit: Racer = (party, offer) => party.edit(offer, { rawProductName: 'Oud 51' });
const withdraw: Racer = (party, offer) => party.move(offer, 'withdraw');

// `test/api/offers/races/offer-races.test.ts` has what each of them leaves.
test.for<readonly [string, (party: Party) => Promise<Offer>, Racer, Racer]>([
  ['an approval and a rejection', submit, approve, reject],
  ['an approval and an edit', submit, approve, edit],
  ['an approval and a withdrawal', submit, approve, withdraw],
  ['two decisions on a price', stage, apply, discard],
])('returns for %s at once what the record stores', async ([, make, one, other], { party }) => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const offer = await make(party);
    const racers = round % 2 === 0 ? [one, other] : [other, one];
    const outcomes = await Promise.all(racers.map((racer) => racer(party, offer)));
    const refused = outcomes.filter((outcome) => 'ok' in outcome && outcome.ok === false);
    expect((await party.stored(offer)).version).toBe(offer.version + 2 - refused.length);
    await party.replay(offer);
  });
  await Promise.all(rounds);
});

test('refuses a decision after its caller’s timeout, and changes nothing', async ({ party }) => {
  const { gateway, operator } = party;
  const offer = await party.submitted({});
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, party.approval(), -1);
  const sent = { action: 'approve', commandId } as const;
  expect(await sendDecision(gateway, operator, offer, sent)).toMatchObject({
    failure: { code: 'GATEWAY_TIMEOUT' },
  });
  expect(await party.stored(offer)).toEqual(offer);
  expect(await party.decide(offer, rejection)).toMatchObject({ ok: true });
});

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

const noPrice = { code: 'BUSINESS_OFFER_NO_PENDING_PRICE', details: {} };

test.for([
  ['applyPrice', 'PriceApplied', 12_000, 'price-applied'],
  ['discardPrice', 'PriceDiscarded', 10_000, 'price-discarded'],
] as const)('decides prices by %s as %s: %i', async ([action, decision, cost, name], { party }) => {
  const approved = await party.approved();
  const runId = await party.runId(approved);
  const staged = await party.push(approved, 'cost', 12_000);
  expect(await party.untilOpen(staged)).not.toBe(runId);
  expect(await party.sells(staged)).toEqual([10_000, '12500', 10_000, false]);

  const outcome = await party.decide(staged, decisionOn(action, staged));
  const value = { decision, status: 'Approved', isAwaitingDecision: false, version: 4 };
  expect(outcome).toMatchObject({ ok: true, value });
  expect(await party.record(staged, name)).toMatchObject({ decision });
  expect(await party.stored(staged)).toMatchObject({
    cost: { netHalalas: cost },
    pendingCost: null,
    awaitingSince: null,
  });
  expect(await party.sells(staged)).toEqual([cost, String(cost * 1.25), cost, false]);
});

test('takes decisions back in the run, which waits again (D162)', async ({ party }) => {
  const staged = await party.staged();
  await party.decide(staged, decisionOn('applyPrice', staged));
  await party.run(staged).result();
  const undo = { action: 'undo', expectedVersion: null } as const;
  const value = { decision: 'ReturnedToReview', status: 'Approved', isAwaitingDecision: true };
  expect(await party.decide(staged, undo)).toMatchObject({ ok: true, value });
  expect(await party.sells(staged)).toEqual([10_000, '12500', 10_000, false]);
  const again = await party.stored(staged);
  expect(again.pendingCost).toEqual(staged.pendingCost);
  expect(await party.decide(again, undo)).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_DECISION_NOT_UNDOABLE' },
  });
  await party.decide(again, decisionOn('discardPrice', again));
  expect(await party.record(staged, 'undone')).toMatchObject({ decision: 'PriceDiscarded' });
});

test('ends the review when a staged price is taken back', async ({ party }) => {
  const staged = await party.staged();
  await party.push(staged, 'cost', 10_000);
  expect(await party.record(staged, 'price-taken-back')).toBeNull();
  const after = { status: 'Approved', pendingCost: null };
  expect(await party.stored(staged)).toMatchObject(after);
});

test('leaves no run open for a decision without a staged price', async ({ party }) => {
  const approved = await party.approved();
  for (const action of ['applyPrice', 'discardPrice'] as const) {
    const refused = await party.decide(approved, decisionOn(action));
    expect(refused).toEqual({ ok: false, failure: noPrice });
  }
  expect(await party.record(approved, 'nothing-staged')).toBeNull();
  expect(await party.stored(approved)).toEqual(approved);
});

test('never applies a staged price that the reviewer has not read', async ({ party }) => {
  let staged = await party.staged();
  for (let round = 0; round < 10; round += 1) {
    const [outcome, pushed] = await Promise.all([
      party.decide(staged, decisionOn('applyPrice', staged)),
      party.push(staged, 'cost', 30_000 + round),
    ]);

    const after = await party.stored(staged);
    if (!outcome.ok) expect(outcome).toMatchObject({ failure: { code: 'CONFLICT_VERSION' } });
    expect(after.cost).toEqual(outcome.ok ? staged.pendingCost : staged.cost);
    expect(after.pendingCost?.netHalalas).toBe(30_000 + round);
    expect(after.version).toBe(staged.version + (outcome.ok ? 2 : 1));
    expect(pushed).toEqual(after);
    await party.untilOpen(after);
    staged = after;
  }
});

test('reviews a returned offer again (D134)', async ({ party }) => {
  const approved = await party.approved();
  const runId = await party.runId(approved);
  const outcome = await party.decide(approved, {
    action: 'returnToReview',
    reason: 'The match is wrong.',
    expectedVersion: reviewVersionOf(approved),
  });
  const value = { decision: 'ReturnedToReview', status: 'PendingReview', isAwaitingDecision: true };
  expect(outcome).toMatchObject({ ok: true, value });
  expect(await party.runId(approved)).not.toBe(runId);
  expect(await party.sells(approved)).toEqual([10_000, '12500', 10_000, true]);
  const again = await party.stored(approved);
  await party.decide(again, party.approval(again));
  expect(await party.record(approved, 'returned')).toMatchObject({ decision: 'Approved' });
  expect(await party.sells(approved)).toEqual([10_000, '12500', 10_000, false]);
});
