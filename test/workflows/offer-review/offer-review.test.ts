import { expect } from 'vitest';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { sendDecision } from '../../support/gateway/runs.ts';
import { readableHistory } from '../../support/history.ts';
import { seedCommand } from '../../support/seeds/seed.ts';
import { decisionOn, rejection, test, type Party } from './offer-review-fixture.ts';

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
