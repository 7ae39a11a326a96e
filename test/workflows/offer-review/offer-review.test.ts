import { expect } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { sendDecision } from '../../support/gateway/runs.ts';
import { readableHistory } from '../../support/history.ts';
import { seedCommand } from '../../support/seeds/seed.ts';
import { rejection, test } from './offer-review-fixture.ts';

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

test('is started by a decision if no run is open', async ({ party }) => {
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

test('continues after a refused decision, whose code it returns', async ({ party }) => {
  const offer = await party.submitted({});
  await party.untilOpen(offer);
  expect(await party.decide(offer, { ...party.approval(), expectedVersion: 7 })).toEqual({
    ok: false,
    failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 7, reviewVersion: 1 } },
  });
  expect((await party.run(offer).describe()).status.name).toBe('RUNNING');
  expect(await party.stored(offer)).toEqual(offer);
  expect(await party.decide(offer, party.approval())).toMatchObject({ ok: true });
  await party.record(offer, 'refused-then-approved');
});

test('applies one of two simultaneous decisions and refuses the other', async ({ party }) => {
  for (let round = 0; round < 10; round += 1) {
    const offer = await party.submitted({});
    const both = [party.approval(), rejection];
    const outcomes = await Promise.all(both.map((command) => party.decide(offer, command)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({
      failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' },
    });
    const changes = await party.gateway.sql`
      select from offer_status_changes where offer_id = ${offer.id} and from_status is not null`;
    expect(changes).toHaveLength(1);
    await party.replay(offer);
  }
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
