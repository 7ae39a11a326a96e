import { expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import { decisionDueAtKey } from '../../../workflows/search-attributes.ts';
import { readableHistory } from '../../support/history.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  startCommand,
  startDue,
  startTimer,
  untilPast,
  windowTimer,
} from '../../support/returns/inspection.ts';
import { proposeAsVendor, seededShipTo } from '../../support/returns/seed-returns.ts';

const hourMs = 3_600_000;

test('starts an inspection by its timer a while after receipt', async ({ fixture }) => {
  const request = await fixture.received({ times: { startMs: 2500 } });

  const started = await fixture.untilStored(request, 'UnderInspection');

  const startedAt = started.inspectionStartedAt ?? new Date(0);
  expect(startedAt.getTime()).toBeGreaterThanOrEqual(startDue(request).getTime());
  expect(started.inspectionDeadline).toEqual(later(startedAt, hourMs));
  const [timer] = await fixture.timers(request);
  expect(timer).toMatchObject({ summary: startTimer, hasFired: true });
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.end(request, 'started-by-timer');
});

test('starts an inspection by staff, and then not by its timer', async ({ fixture }) => {
  const request = await fixture.received({ times: { startMs: 6000 } });

  const { operatorId } = fixture.operator;
  const value = { status: 'UnderInspection', operatorId };
  expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true, value });
  const started = await fixture.stored(request);
  expect(started.inspectionStartedAt?.getTime()).toBeLessThan(startDue(request).getTime());
  // Past the instant at which the timer would have started it.
  await untilPast(later(startDue(request), 300));
  expect(await fixture.stored(request)).toEqual(started);
  expect(await fixture.timers(request)).toMatchObject([
    { summary: startTimer, hasFired: false },
    { summary: windowTimer, hasFired: false },
  ]);
  expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
  await fixture.end(request, 'started-by-staff');
});

test('applies a command once, however often it is sent', async ({ fixture }) => {
  const request = await fixture.underInspection(hourMs);
  const command = decision('AcceptedSound');
  const commandId = await fixture.note(request, command);
  const send = () => fixture.send(request, command, commandId);

  const atOnce = await Promise.all([send(), send(), send()]);
  expect(atOnce).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  const { inspectionDecidedAt, version } = await fixture.stored(request);
  await fixture.end(request);
  expect(await send()).toEqual(atOnce[0]);
  // A run that begins after the decision says who decided.
  await fixture.lateMessage(request);
  await fixture.run(request).result();
  const { operatorId } = fixture.operator;
  expect(await fixture.details(request)).toContain(`by operator \`${operatorId}\``);
  const value = { outcome: 'AcceptedSound', status: 'RefundReleased' };
  expect(await send()).toMatchObject({ ok: true, value });
  await fixture.run(request).result();
  const after = { inspectionDecidedAt, version: version + 1 };
  expect(await fixture.stored(request)).toMatchObject(after);
  expect(await fixture.inspectionMoves(request)).toHaveLength(1);
});

test.for([
  ['AcceptedDefect', ['ChangedMind', 'MissingPart', 'Other'], 900, 'silence-with-defect'],
  ['AcceptedSound', ['ChangedMind', 'Other'], 6000, 'silence-without-defect'],
] as const)(
  'decides by silence %s for %j',
  async ([outcome, reasons, windowMs, name], { fixture }) => {
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
    await fixture.end(request, name);
    expect(await fixture.stored(request)).toMatchObject({ outcome, inspectionDecidedAt });
  },
);

// The run's timer waits for the event before silence decides (D99), so it needs no other clock.
test('announces the end once before silence decides', async ({ gateway, fixture }) => {
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
  // An event of another return may have a later instant and a lower number.
  expect(decided.closingAnnouncedAt?.getTime()).toBeLessThanOrEqual(announcedMs);
  // The announcement is no change of the return; the decision is.
  expect(decided.version).toBe(made.version + 1);
  const timers = (await fixture.timers(made)).map(({ summary }) => summary);
  expect(timers).toContain('an event announces the end of the inspection window');
  expect(timers).toContain(windowTimer);
  await fixture.end(made, 'announced-then-silence');
});

test('leaves the decision to staff after a proposal', async ({ fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  await fixture.propose(request, 'AcceptedSound');
  await fixture.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

  const outcome = 'AcceptedDefect';
  const value = { status: 'InspectionAccepted', outcome, decisionDueAt: null, due: null };
  const response = await fixture.order(request, decision(outcome, 'The seal is broken'));
  expect(response).toMatchObject({ ok: true, value });
  expect(await fixture.stored(request)).toMatchObject({
    outcome,
    proposedOutcome: 'AcceptedSound',
    decidedBy: fixture.operator.operatorId,
  });
  await fixture.end(request, 'proposed-then-decided');
});

test('requires staff at the end of a window with a proposal', async ({ gateway, fixture }) => {
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
  await fixture.end(request, 'flagged-then-decided');
});

const silence = 'If there is no proposal by then, silence decides `AcceptedDefect`.';

test('shows the next step and its time, then the outcome', async ({ fixture }) => {
  const dueAt = async () =>
    (await fixture.run(request).describe()).typedSearchAttributes.get(decisionDueAtKey);
  const request = await fixture.received({ times: { startMs: 3_600_000, windowMs: 6000 } });
  const description = await fixture.run(request).describe();
  expect(await description.staticSummary()).toBe(`Return ${request.number}`);
  expect(await description.staticDetails()).toContain('Its window is 6 s');
  const startsAt = startDue(request).toISOString();
  expect(await fixture.details(request)).toBe(
    `**Received**\n\nAt ${startsAt} the inspection starts automatically.`,
  );
  expect(await dueAt()).toBeUndefined();

  expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true });
  const due = deadlineOf(await fixture.stored(request));
  expect(await fixture.details(request)).toBe(
    `**UnderInspection**\n\nAt ${due.toISOString()} the inspection window ends. ${silence}`,
  );
  expect(await dueAt()).toEqual(due);
  await fixture.untilSeen(request, 'InspectionAccepted');
  expect(await dueAt()).toBeUndefined();
  expect(await fixture.details(request)).toBe(
    '**InspectionAccepted**\n\n**AcceptedDefect**, by the customer’s claim, in silence.',
  );
});

test('names the instants of announcement and silence', async ({ fixture }) => {
  const closingMs = 1_800_000;
  const made = await fixture.underInspection(3_600_000, { times: { closingMs } });
  const end = deadlineOf(made);
  expect(await fixture.details(made)).toBe(
    `**UnderInspection**\n\nAt ${later(end, -closingMs).toISOString()} an event announces the end ` +
      `of the inspection window.\n\nAt ${end.toISOString()} the inspection window ends. ${silence}`,
  );
  await fixture.propose(made, 'AcceptedSound');
  await fixture.untilDetails(made, 'The vendor proposed `AcceptedSound`.');
  expect(await fixture.details(made)).toBe(
    '**UnderInspection**\n\nThe vendor proposed `AcceptedSound`.\n\n' +
      `At ${end.toISOString()} the inspection window ends.\n\n` +
      'The vendor can change the proposal until then. An operator decides.',
  );
});

test('shows a refused decision with its operator and code', async ({ fixture }) => {
  const request = await fixture.request();
  await fixture.untilSeen(request, 'Pending');
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  expect(await fixture.details(request)).toContain(
    `Refused: **decide** by operator \`${fixture.operator.operatorId}\` ` +
      '(`BUSINESS_RETURN_REQUEST_INVALID_TRANSITION`).',
  );
});

test('writes only ids, states and instants into a history', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  const url = 'https://vendor.example.org/private/photo-of-a-bottle.jpg?key=kept-secret';
  await fixture.addEvidence(request, { url });
  await fixture.propose(request, 'Rejected');
  await fixture.untilDetails(request, 'An operator must decide.');
  const repeated = { ...startCommand, reason: 'Started for a second time' };
  expect(await fixture.order(request, repeated)).toMatchObject({ ok: false });
  const command = decision('Rejected', 'The customer has opened the bottle');
  expect(await fixture.order(request, command)).toMatchObject({ ok: true });
  await fixture.staff(request, 'close', 'Sent back to the customer');
  await fixture.run(request).result();

  const history = await readableHistory(gateway.client, returnInspectionId(request.id));

  const { id, vendorId, number, orderId, lines } = request;
  const { operatorId } = fixture.operator;
  for (const known of [id, vendorId, operatorId, 'UnderInspection', number])
    expect(history).toContain(known);
  const texts = ['vendor.example.org', 'kept-secret', 'second time', 'opened the bottle'];
  const address = Object.values(seededShipTo).filter((text) => text !== null && text.length > 2);
  const skus = lines.map(({ sku }) => sku);
  for (const secret of [...texts, 'Sent back', orderId, ...skus, ...address])
    expect(history).not.toContain(secret);
});
