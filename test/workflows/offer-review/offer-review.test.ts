import { expect } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { readableHistory, recordHistory, replayRun } from '../../support/history.ts';
import { seedCommand, seedOffer } from '../../support/seeds/seed.ts';
import {
  approval,
  decide,
  review,
  sendDecision,
  stored,
  test,
  untilReviewIsOpen,
} from './offer-review-fixture.ts';

const rejection = { action: 'reject', reason: 'Not a known brand', expectedVersion: null } as const;

test('opens for a submitted offer and ends with its approval', async ({ party }) => {
  const { gateway, vendorId, variantId } = party;
  const offer = await seedOffer(gateway.sql, vendorId);
  await untilReviewIsOpen(gateway, offer);
  expect(await decide(party, offer, approval(variantId))).toMatchObject({
    ok: true,
    value: { decision: 'Approved', status: 'Approved', isAwaitingDecision: false, version: 2 },
  });
  await review(gateway, offer).result();
  expect(await stored(gateway, offer)).toMatchObject({
    status: 'Approved',
    variantId,
    barcode: '4006381333931',
    supply: { isPaused: false },
  });
  await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-approved');
});

test('ends with a rejection, and shows who decided but no free text', async ({ party }) => {
  const { gateway, vendorId, operator } = party;
  const offer = await seedOffer(gateway.sql, vendorId);
  await untilReviewIsOpen(gateway, offer);
  expect(await decide(party, offer, rejection)).toMatchObject({
    ok: true,
    value: { decision: 'Rejected', status: 'Rejected' },
  });
  await review(gateway, offer).result();
  const { reason } = rejection;
  expect(await stored(gateway, offer)).toMatchObject({ status: 'Rejected', reviewReason: reason });
  const history = await readableHistory(gateway.client, offerReviewId(offer.id));
  expect(history).toContain(operator.operatorId);
  expect(history).not.toContain(reason);
  expect(history).not.toContain('Maison Dahab');
  await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-rejected');
});

test('is started by a decision if no run is open', async ({ party }) => {
  const { gateway, vendorId } = party;
  const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: true });
  expect(await decide(party, offer, rejection)).toMatchObject({
    ok: true,
    value: { status: 'Rejected' },
  });
  await review(gateway, offer).result();
  await recordHistory(gateway.client, offerReviewId(offer.id), 'offer-review-started-by-decision');
});

test('replays in any order of start and decision', async ({ party }) => {
  const { gateway, vendorId } = party;
  for (let round = 0; round < 15; round += 1) {
    const offer = await seedOffer(gateway.sql, vendorId, { saveAsDraft: round % 2 === 0 });
    await decide(party, offer, rejection);
    await replayRun(gateway.client, offerReviewId(offer.id));
  }
});

test('continues after a refused decision, whose code it returns', async ({ party }) => {
  const { gateway, vendorId, variantId } = party;
  const offer = await seedOffer(gateway.sql, vendorId);
  await untilReviewIsOpen(gateway, offer);
  expect(await decide(party, offer, approval(variantId, 7))).toEqual({
    ok: false,
    failure: { code: 'CONFLICT_VERSION', details: { expectedVersion: 7, reviewVersion: 1 } },
  });
  expect((await review(gateway, offer).describe()).status.name).toBe('RUNNING');
  expect(await stored(gateway, offer)).toEqual(offer);
  expect(await decide(party, offer, approval(variantId))).toMatchObject({ ok: true });
  await review(gateway, offer).result();
  await recordHistory(
    gateway.client,
    offerReviewId(offer.id),
    'offer-review-refused-then-approved',
  );
});

test('applies one of two simultaneous decisions and refuses the other', async ({ party }) => {
  const { gateway, vendorId, variantId } = party;
  for (let round = 0; round < 10; round += 1) {
    const offer = await seedOffer(gateway.sql, vendorId);
    const outcomes = await Promise.all([
      decide(party, offer, approval(variantId)),
      decide(party, offer, rejection),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({
      failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' },
    });
    const [changes] = await gateway.sql<[{ count: number }]>`
      select count(*)::int as count from offer_status_changes
      where offer_id = ${offer.id} and from_status is not null`;
    expect(changes.count).toBe(1);
    await replayRun(gateway.client, offerReviewId(offer.id));
  }
});

test('applies a decision once, however often it is sent', async ({ party }) => {
  const { gateway, vendorId, variantId, operator } = party;
  const offer = await seedOffer(gateway.sql, vendorId);
  const command = approval(variantId);
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command);
  for (let sent = 0; sent < 2; sent += 1)
    expect(await sendDecision(party, offer, 'approve', commandId)).toMatchObject({ ok: true });
  expect(await stored(gateway, offer)).toMatchObject({ status: 'Approved', version: 2 });
  const [entries] = await gateway.sql<[{ count: number }]>`
    select count(*)::int as count from audit_log where subject_id = ${offer.id}`;
  expect(entries.count).toBe(1);
});

test('refuses a decision after its caller’s timeout, and changes nothing', async ({ party }) => {
  const { gateway, vendorId, variantId, operator } = party;
  const offer = await seedOffer(gateway.sql, vendorId);
  const command = approval(variantId);
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command, -1);
  expect(await sendDecision(party, offer, 'approve', commandId)).toMatchObject({
    ok: false,
    failure: { code: 'GATEWAY_TIMEOUT' },
  });
  expect(await stored(gateway, offer)).toEqual(offer);
  expect(await decide(party, offer, rejection)).toMatchObject({ ok: true });
});
