import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  deadlineOf,
  decision,
  windowTimer,
  untilPast,
  inspectionTest as test,
  startCommand,
} from '../../support/returns/inspection.ts';
import {
  addSeededEvidence,
  proposeAsVendor,
  storedReturn,
  moveReturnTo,
} from '../../support/returns/seed-returns.ts';

async function propose(
  gateway: TestGateway,
  request: ReturnRequest,
  outcome: 'AcceptedDefect' | 'AcceptedSound' | 'Rejected',
) {
  await addSeededEvidence(gateway.sql, request);
  return proposeAsVendor(gateway.sql, request, outcome);
}

describe('silence until the end of the window', () => {
  test('with one defect claimed accepts it at the deadline', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(900, {
      reasons: ['ChangedMind', 'MissingPart', 'Other'],
    });

    const decided = await fixture.untilStored(request, 'InspectionAccepted');

    expect(decided).toMatchObject({
      outcome: 'AcceptedDefect',
      decidedBy: null,
      requiresStaffReview: false,
    });
    expect(decided.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(
      deadlineOf(request).getTime(),
    );
    expect(await fixture.order(request, decision('Rejected'))).toMatchObject({
      failure: {
        code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
        details: { status: 'InspectionAccepted', action: 'decide' },
      },
    });
    await fixture.end(request);
    expect(await storedReturn(gateway.sql, request)).toMatchObject({
      outcome: 'AcceptedDefect',
      inspectionDecidedAt: decided.inspectionDecidedAt,
    });
    await fixture.record(request, 'silence-with-defect');
  });

  test('with no defect claimed decides that the goods are sound', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(6000, { reasons: ['ChangedMind', 'Other'] });
    // Evidence is no proposal.
    await addSeededEvidence(gateway.sql, request);

    const decided = await fixture.untilStored(request, 'InspectionAccepted');

    expect(decided).toMatchObject({
      outcome: 'AcceptedSound',
      decidedBy: null,
      evidence: [{ kind: 'Photo' }],
    });
    expect(decided.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(
      deadlineOf(request).getTime(),
    );
    await fixture.end(request);
    await fixture.record(request, 'silence-without-defect');
  });
});

describe('a proposal', () => {
  test('leaves the decision to staff, whose outcome counts', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(3_600_000);
    await propose(gateway, request, 'AcceptedSound');
    await fixture.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

    const outcome = await fixture.order(request, decision('AcceptedDefect', 'The seal is broken'));

    expect(outcome).toMatchObject({
      ok: true,
      value: {
        status: 'InspectionAccepted',
        outcome: 'AcceptedDefect',
        decisionDueAt: null,
        due: null,
      },
    });
    expect(await storedReturn(gateway.sql, request)).toMatchObject({
      outcome: 'AcceptedDefect',
      proposedOutcome: 'AcceptedSound',
      decidedBy: fixture.operator.operatorId,
    });
    await fixture.end(request);
    await fixture.record(request, 'proposed-then-decided');
  });

  test('is no silence: the end of the window asks for staff', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(6000);
    const proposed = await propose(gateway, request, 'AcceptedSound');
    expect(proposed.requiresStaffReview).toBe(false);

    await fixture.untilDetails(request, 'An operator must decide.');

    const [timer] = await fixture.timersNamed(request, windowTimer);
    expect(timer?.hasFired).toBe(true);
    const flagged = await storedReturn(gateway.sql, request);
    expect(flagged).toEqual({
      ...proposed,
      requiresStaffReview: true,
      version: proposed.version + 1,
    });
    // The deadline has passed: another proposal is refused and changes nothing (D81).
    await expect(proposeAsVendor(gateway.sql, request, 'AcceptedDefect')).rejects.toMatchObject({
      details: { reason: 'WINDOW_CLOSED' },
    });
    expect(await storedReturn(gateway.sql, request)).toEqual(flagged);
    expect(await fixture.order(request, decision('Rejected'))).toMatchObject({ ok: true });
    expect(await storedReturn(gateway.sql, request)).toMatchObject({
      status: 'InspectionRejected',
      outcome: 'Rejected',
      requiresStaffReview: false,
    });
    await fixture.end(request);
    await fixture.record(request, 'flagged-then-decided');
  });

  test('of a rejection asks for staff at once', async ({ gateway, fixture }) => {
    const request = await fixture.underInspection(6000);
    const proposed = await propose(gateway, request, 'Rejected');
    expect(proposed.requiresStaffReview).toBe(true);
    await fixture.untilDetails(request, 'An operator must decide.');

    await untilPast(later(deadlineOf(request), 300));

    expect(await storedReturn(gateway.sql, request)).toEqual(proposed);
    expect(await fixture.timersNamed(request, windowTimer)).toMatchObject([{ hasFired: false }]);
  });
});

// The event before silence decides (D99). The run's timer waits for it, so it needs no other clock.

const closingMs = 2000;
const windowMs = 4000;

const eventsAbout = ({ sql }: TestGateway, { id }: ReturnRequest) => sql<
  { eventType: string; occurredAt: Date }[]
>`
  select event_type, occurred_at from webhook_events
  where body::jsonb -> 'data' ->> 'returnId' = ${id} order by sequence`;

test('announces the end of a window once before silence', async ({ gateway, fixture }) => {
  const made = await fixture.request({ times: { windowMs, closingMs } });
  await moveReturnTo(gateway.sql, made, 'Received');
  expect(await fixture.order(made, startCommand)).toMatchObject({ ok: true });

  const decided = await fixture.untilStored(made, 'InspectionAccepted');

  const events = await eventsAbout(gateway, made);
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
  // The announcement is no change of the return: received, started and decided are.
  expect(decided.version).toBe(made.version + 5);
  const timers = (await fixture.timers(made)).map(({ summary }) => summary);
  expect(timers).toContain('an event announces the end of the inspection window');
  expect(timers).toContain(windowTimer);
  await fixture.end(made);
  await fixture.record(made, 'announced-then-silence');
  await fixture.replay(made);
});
