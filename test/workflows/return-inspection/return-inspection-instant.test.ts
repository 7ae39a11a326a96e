import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { holdReturn, type HeldRow } from '../../support/database/hold.ts';
import {
  deadlineOf,
  decision,
  startCommand,
  type InspectionFixture,
  untilPast,
} from '../../support/returns/inspection.ts';
import { proposeAsVendor } from '../../support/returns/seed-returns.ts';
import { test, inTime, isBefore, settle } from './return-inspection-instant-fixture.ts';

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
const propose = ({ sql }: TestGateway, request: ReturnRequest): Promise<Proposal> =>
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
const orders: readonly (readonly [Comer, Comer, Comer, 'Rejected' | 'AcceptedDefect'])[] = [
  ['decision', 'proposal', 'timer', 'Rejected'],
  ['decision', 'timer', 'proposal', 'Rejected'],
  ['proposal', 'decision', 'timer', 'Rejected'],
  ['proposal', 'timer', 'decision', 'AcceptedDefect'],
  ['timer', 'decision', 'proposal', 'AcceptedDefect'],
  ['timer', 'proposal', 'decision', 'AcceptedDefect'],
];

/**
 * Lets the three come in that order to a row that is held until all are there; null if one that
 * comes before the timer was late. Decision and timer both go through the run, where one waits for
 * the other: of the two only the first waits for the row, the second waits for the run.
 */
async function meet(
  gateway: TestGateway,
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
    else if (comer === 'proposal') proposed = propose(gateway, request);
    else await untilPast(deadlineOf(request));
    if (comer === 'proposal' || !isRunBusy) await held.untilWaiting((inLine += 1));
    isRunBusy ||= comer !== 'proposal';
  }
  await held.letGo();
  const answers = { decided: await decided, proposal: await proposed };
  return isLate ? null : { request, ...answers };
}

describe('a decision, a late proposal and the end of the window at one instant', () => {
  test.concurrent.for(orders)(
    'have one outcome: %s, %s, %s: %s',
    { timeout: 300_000 },
    async ([first, second, third, outcome], { gateway, fixture }) => {
      const order = [first, second, third];
      const isRefused = outcome === 'AcceptedDefect';
      const settled: Promise<void>[] = [];
      for (let round = 0; round < raceRounds / 5; round += 1) {
        const { request, ...answers } = await inTime(1000, async (windowMs) => {
          const given = await underInspection(fixture, windowMs);
          return meet(gateway, fixture, given, await holdReturn(gateway.sql, given.id), order);
        });

        expect(answers.proposal).toBe('refused');
        expect(answers.decided?.ok).toBe(!isRefused);
        const code = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';
        if (isRefused) expect(answers.decided).toMatchObject({ failure: { code } });
        expect(await fixture.stored(request)).toMatchObject({
          outcome,
          decidedBy: isRefused ? null : fixture.operator.operatorId,
          proposedOutcome: null,
          requiresStaffReview: false,
        });
        expect(await fixture.inspectionMoves(request)).toHaveLength(1);
        settled.push(settle(gateway, fixture, request));
      }
      await Promise.all(settled);
    },
  );

  test('have one outcome in all answers, in either order', async ({ gateway, fixture }) => {
    const seen = new Set<string>();
    // Around the deadline, and one on either side that is out of the others' reach.
    const offsetsMs = Array.from({ length: 14 }, (_, index) => index * 5 - 35);
    const play = async (round: number): Promise<void> => {
      const command = decision('Rejected');
      const { request, decided, proposal } = await inTime(1000, async (windowMs) => {
        const given = await underInspection(fixture, windowMs);
        const commandId = await fixture.note(given, command);
        const [isFirst, isLast] = [round === 0, round === 1];
        const instant = later(deadlineOf(given), offsetsMs[round - 2] ?? 0);
        if (!isBefore(instant)) return null;
        if (isLast) await fixture.untilDecided(given);
        else if (!isFirst) await untilPast(instant);
        const send = () => fixture.send(given, command, commandId);
        const early = round % 2 === 0 ? send() : null;
        const proposing = propose(gateway, given);
        const answers = await Promise.all([early ?? send(), proposing]);
        if (isFirst && !isBefore(deadlineOf(given))) return null;
        return { request: given, decided: answers[0], proposal: answers[1] };
      });

      const stored = await fixture.stored(request);
      expect(stored).toMatchObject({
        outcome: decided.ok ? 'Rejected' : 'AcceptedDefect',
        decidedBy: decided.ok ? fixture.operator.operatorId : null,
        proposedOutcome: proposal === 'accepted' ? 'AcceptedSound' : null,
        requiresStaffReview: false,
      });
      // Silence is decided where nothing was proposed, and at the deadline at the earliest.
      if (!decided.ok) {
        expect(proposal).toBe('refused');
        expect(stored.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(
          deadlineOf(request).getTime(),
        );
      }
      expect(await fixture.inspectionMoves(request)).toHaveLength(1);
      seen.add(`${decided.ok ? 'staff' : 'silence'}, ${proposal}`);
      await settle(gateway, fixture, request);
    };
    const four = [0, 1, 2, 3];
    await Promise.all(
      four.map(async (lane) => {
        for (const round of four) await play(round * 4 + lane);
      }),
    );
    expect(seen.size).toBeGreaterThan(1);
  });
});

test('a decision an instant before the window’s end counts', async ({ gateway, fixture }) => {
  const { request, decided } = await inTime(1000, async (windowMs) => {
    const given = await underInspection(fixture, windowMs);
    const held = await holdReturn(gateway.sql, given.id);
    const deciding = fixture.order(given, decision('Rejected'));
    await held.untilWaiting(1);
    const isLate = !isBefore(deadlineOf(given));
    await untilPast(deadlineOf(given));
    await held.letGo();
    const answer = await deciding;
    return isLate ? null : { request: given, decided: answer };
  });

  expect(decided).toMatchObject({ ok: true });
  await settle(gateway, fixture, request);
  expect(await fixture.stored(request)).toMatchObject({
    outcome: 'Rejected',
    status: 'Closed',
  });
  await fixture.record(request, 'decision-at-deadline');
});

test('decides nothing after a proposal just before the end', async ({ gateway, fixture }) => {
  const { request, proposal } = await inTime(1000, async (windowMs) => {
    const given = await underInspection(fixture, windowMs);
    await untilPast(later(deadlineOf(given), -windowMs / 2));
    const answer = await propose(gateway, given);
    const isLate = answer === 'refused' && !isBefore(deadlineOf(given));
    return isLate ? null : { request: given, proposal: answer };
  });

  expect(proposal).toBe('accepted');
  await fixture.untilDetails(request, 'An operator must decide.');
  expect(await fixture.stored(request)).toMatchObject({
    status: 'UnderInspection',
    outcome: null,
    requiresStaffReview: true,
  });
  expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
  await settle(gateway, fixture, request);
  await fixture.record(request, 'proposal-at-deadline');
});
