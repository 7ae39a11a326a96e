import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  untilPast,
  windowTimer,
} from '../../support/returns/inspection.ts';
import { proposeAsVendor } from '../../support/returns/seed-returns.ts';

describe('silence until the end of the window', () => {
  test.for([
    ['AcceptedDefect', ['ChangedMind', 'MissingPart', 'Other'], 900, 'silence-with-defect'],
    ['AcceptedSound', ['ChangedMind', 'Other'], 6000, 'silence-without-defect'],
  ] as const)('decides %s for %j', async ([outcome, reasons, windowMs, name], { fixture }) => {
    const request = await fixture.underInspection(windowMs, { reasons });
    // Evidence is no proposal.
    if (outcome === 'AcceptedSound') await fixture.addEvidence(request);

    const decided = await fixture.untilStored(request, 'InspectionAccepted');

    expect(decided).toMatchObject({ outcome, decidedBy: null, requiresStaffReview: false });
    const { inspectionDecidedAt } = decided;
    const deadlineMs = deadlineOf(request).getTime();
    expect(inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadlineMs);
    const details = { status: 'InspectionAccepted', action: 'decide' };
    expect(await fixture.order(request, decision('Rejected'))).toMatchObject({
      failure: { code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', details },
    });
    await fixture.end(request);
    expect(await fixture.stored(request)).toMatchObject({ outcome, inspectionDecidedAt });
    await fixture.record(request, name);
  });

  // The run's timer waits for the event before silence decides (D99), so it needs no other clock.
  test('comes after one announcement of its end', async ({ gateway, fixture }) => {
    const closingMs = 2000;
    const made = await fixture.underInspection(4000, { times: { closingMs } });

    const decided = await fixture.untilStored(made, 'InspectionAccepted');

    const events = await gateway.sql<{ eventType: string; occurredAt: Date }[]>`
      select event_type, occurred_at from webhook_events
      where body::jsonb -> 'data' ->> 'returnId' = ${made.id} order by sequence`;
    expect(events.map(({ eventType }) => eventType)).toEqual([
      'vendor.return.requested',
      'vendor.return.received',
      'vendor.return.inspection-started',
      'vendor.return.inspection-closing',
      'vendor.return.decided',
    ]);
    const announcedMs = events[3]?.occurredAt.getTime() ?? 0;
    expect(announcedMs).toBeGreaterThanOrEqual(deadlineOf(decided).getTime() - closingMs);
    expect(decided.closingAnnouncedAt?.getTime()).toBe(announcedMs);
    // The announcement is no change of the return; the decision is.
    expect(decided.version).toBe(made.version + 1);
    const timers = (await fixture.timers(made)).map(({ summary }) => summary);
    expect(timers).toContain('an event announces the end of the inspection window');
    expect(timers).toContain(windowTimer);
    await fixture.end(made);
    await fixture.record(made, 'announced-then-silence');
    await fixture.replay(made);
  });
});

describe('a proposal', () => {
  test('leaves the decision to staff, whose outcome counts', async ({ fixture }) => {
    const request = await fixture.underInspection(3_600_000);
    await fixture.propose(request, 'AcceptedSound');
    await fixture.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

    const outcome = 'AcceptedDefect';
    const value = { status: 'InspectionAccepted', outcome, decisionDueAt: null, due: null };
    const answer = await fixture.order(request, decision(outcome, 'The seal is broken'));
    expect(answer).toMatchObject({ ok: true, value });
    expect(await fixture.stored(request)).toMatchObject({
      outcome,
      proposedOutcome: 'AcceptedSound',
      decidedBy: fixture.operator.operatorId,
    });
    await fixture.end(request);
    await fixture.record(request, 'proposed-then-decided');
  });

  test('is no silence: the end of the window asks for staff', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(6000);
    const proposed = await fixture.propose(request, 'AcceptedSound');
    expect(proposed.requiresStaffReview).toBe(false);

    await fixture.untilDetails(request, 'An operator must decide.');

    const [timer] = await fixture.timersNamed(request, windowTimer);
    expect(timer?.hasFired).toBe(true);
    const version = proposed.version + 1;
    const flagged = { ...proposed, requiresStaffReview: true, version };
    expect(await fixture.stored(request)).toEqual(flagged);
    // The deadline has passed: another proposal is refused and changes nothing (D81).
    const late = proposeAsVendor(gateway.sql, request, 'AcceptedDefect');
    await expect(late).rejects.toMatchObject({ details: { reason: 'WINDOW_CLOSED' } });
    expect(await fixture.stored(request)).toEqual(flagged);
    expect(await fixture.order(request, decision('Rejected'))).toMatchObject({ ok: true });
    expect(await fixture.stored(request)).toMatchObject({
      status: 'InspectionRejected',
      outcome: 'Rejected',
      requiresStaffReview: false,
    });
    await fixture.end(request);
    await fixture.record(request, 'flagged-then-decided');
  });

  test('of a rejection asks for staff at once', async ({ fixture }) => {
    const request = await fixture.underInspection(6000);
    const proposed = await fixture.propose(request, 'Rejected');
    expect(proposed.requiresStaffReview).toBe(true);
    await fixture.untilDetails(request, 'An operator must decide.');

    await untilPast(later(deadlineOf(request), 300));

    expect(await fixture.stored(request)).toEqual(proposed);
    expect(await fixture.timersNamed(request, windowTimer)).toMatchObject([{ hasFired: false }]);
  });
});
