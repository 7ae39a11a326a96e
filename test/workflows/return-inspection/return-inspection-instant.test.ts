import { expect } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { holdReturn, type HeldRow } from '../../support/database/hold.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  inTime,
  isBefore,
  startCommand,
  startDue,
  type InspectionFixture,
  untilPast,
} from '../../support/returns/inspection.ts';
import { proposeAsVendor, returnMoves } from '../../support/returns/seed-returns.ts';

/** Ends the return, and checks that its outcome is still what it was, and that its run replays. */
async function settle(
  fixture: InspectionFixture,
  request: ReturnRequest,
  recordedAs: string | undefined,
): Promise<void> {
  const decided = await fixture.stored(request);
  await proposeAsVendor(fixture.sql, request, 'Rejected').catch(() => undefined);
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  await fixture.end(request, recordedAs);
  const { status: _status, version: _version, ...after } = await fixture.stored(request);
  expect(decided).toMatchObject(after);
}

/** Under inspection, with a photo since before. Silence would say that the goods are defective. */
async function underInspection(
  fixture: InspectionFixture,
  windowMs: number,
): Promise<ReturnRequest> {
  const made = await fixture.moveTo(await fixture.request({ times: { windowMs } }), 'Received');
  await fixture.addEvidence(made);
  expect(await fixture.order(made, startCommand)).toMatchObject({ ok: true });
  return fixture.stored(made);
}

type Proposal = 'accepted' | 'refused';

/** The vendor proposes `AcceptedSound`; whether the record took it. */
const propose = ({ sql }: InspectionFixture, request: ReturnRequest): Promise<Proposal> =>
  proposeAsVendor(sql, request, 'AcceptedSound').then(
    () => 'accepted',
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION' });
      return 'refused';
    },
  );

/** One of the three that meet, as it gets in line for the return's row. */
type Comer = 'decision' | 'proposal' | 'timer';

/**
 * Each order, and whether staff decide: the record lets in one after the other, all of them after
 * the deadline. The proposal is refused in each of them (D81).
 */
const orders: readonly (readonly [readonly Comer[], 'Rejected' | 'AcceptedDefect'])[] = [
  [['decision', 'proposal', 'timer'], 'Rejected'],
  [['decision', 'timer', 'proposal'], 'Rejected'],
  [['proposal', 'decision', 'timer'], 'Rejected'],
  [['proposal', 'timer', 'decision'], 'AcceptedDefect'],
  [['timer', 'decision', 'proposal'], 'AcceptedDefect'],
  [['timer', 'proposal', 'decision'], 'AcceptedDefect'],
];

/**
 * Lets the three come in that order to a row that is held until all are there; null if one that
 * comes before the timer was late. Decision and timer both go through the run, where one waits for
 * the other: of the two only the first waits for the row, the second waits for the run.
 */
async function meet(
  fixture: InspectionFixture,
  request: ReturnRequest,
  held: HeldRow,
  order: readonly Comer[],
) {
  const command = decision('Rejected');
  const commandId = await fixture.note(request, command);
  let inLine = 0;
  let decided: ReturnType<InspectionFixture['send']> | undefined;
  let proposed: Promise<Proposal> | undefined;
  let isRunBusy = false;
  let isLate = !isBefore(deadlineOf(request));
  for (const comer of isLate ? [] : order) {
    if (comer === 'timer') isLate ||= !isBefore(deadlineOf(request));
    if (comer === 'decision') decided = fixture.send(request, command, commandId);
    else if (comer === 'proposal') proposed = propose(fixture, request);
    else await untilPast(deadlineOf(request));
    if (comer === 'proposal' || !isRunBusy) await held.untilWaiting((inLine += 1));
    isRunBusy ||= comer !== 'proposal';
  }
  await held.letGo();
  const results = { decided: await decided, proposal: await proposed };
  return isLate ? null : { request, ...results };
}

test.for(orders)(
  'stores one outcome when %j meet at the deadline: %s',
  { timeout: 300_000 },
  async ([order, outcome], { fixture }) => {
    const isRefused = outcome === 'AcceptedDefect';
    const settled: Promise<void>[] = [];
    for (let round = 0; round < raceRounds / 5; round += 1) {
      const { request, ...results } = await inTime(1000, async (windowMs) => {
        const given = await underInspection(fixture, windowMs);
        return meet(fixture, given, await holdReturn(fixture.sql, given.id), order);
      });

      expect(results.proposal).toBe('refused');
      expect(results.decided?.ok).toBe(!isRefused);
      const code = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';
      if (isRefused) expect(results.decided).toMatchObject({ failure: { code } });
      expect(await fixture.stored(request)).toMatchObject({
        outcome,
        decidedBy: isRefused ? null : fixture.operator.operatorId,
        proposedOutcome: null,
        requiresStaffReview: false,
      });
      expect(await fixture.inspectionMoves(request)).toHaveLength(1);
      const isRecorded = round === 0 && order[0] === 'decision' && order[1] === 'proposal';
      const recordedAs = isRecorded ? 'decision-at-deadline' : undefined;
      settled.push(settle(fixture, request, recordedAs));
    }
    await Promise.all(settled);
  },
);

test.for(['staff', 'timer'])('starts an inspection once: %s first', async (first, { fixture }) => {
  const { request, decided } = await inTime(1200, async (startMs) => {
    const given = await fixture.received({ times: { startMs } });
    const commandId = await fixture.note(given, startCommand);
    const held = await holdReturn(fixture.sql, given.id);
    let isLate = !isBefore(startDue(given));
    if (first === 'timer' && !isLate) await held.untilWaiting(1);
    const sending = fixture.send(given, startCommand, commandId);
    if (first === 'staff') {
      await held.untilWaiting(1);
      isLate ||= !isBefore(startDue(given));
    }
    await untilPast(startDue(given));
    await held.letGo();
    const sent = await sending;
    return isLate ? null : { request: given, decided: sent };
  });

  const refused = { failure: { code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION' } };
  expect(decided).toMatchObject(first === 'staff' ? { ok: true } : refused);
  const moves = await returnMoves(fixture.sql, request);
  expect(moves.filter((move) => move.startsWith('Received'))).toHaveLength(1);
  expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
  await settle(fixture, request, `start-at-once-${first}-first`);
});
