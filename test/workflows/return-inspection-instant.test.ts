import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { later } from '../../domain/instant.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { holdReturn, type HeldRow } from '../support/hold.ts';
import {
  createInspectionStage,
  deadlineOf,
  decision,
  startCommand,
  startDue,
  type InspectionStage,
  untilPast,
} from '../support/inspection.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  returnMoves,
  storedReturn,
} from '../support/seed-returns.ts';

let gateway: TestGateway;
let stage: InspectionStage;

beforeAll(async () => {
  gateway = await createTestGateway();
  await gateway.startWorker();
  stage = await createInspectionStage(gateway);
});
afterAll(() => gateway.stop());

/** Under inspection, with a photo. Silence would say that the goods are defective. */
const underInspection = async (windowMs: number): Promise<ReturnRequest> =>
  addSeededEvidence(gateway.sql, await stage.underInspection(windowMs));

type Proposal = 'accepted' | 'refused';

/** The vendor proposes `AcceptedSound`; whether the record took it. */
async function propose(request: ReturnRequest): Promise<Proposal> {
  try {
    await proposeAsVendor(gateway.sql, request, 'AcceptedSound');
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION' });
    return 'refused';
  }
}

/** Ends the return, and checks that its outcome is still what it was, and that its run replays. */
async function settle(request: ReturnRequest): Promise<void> {
  const decided = await storedReturn(gateway.sql, request);
  await proposeAsVendor(gateway.sql, request, 'Rejected').catch(() => undefined);
  expect(await stage.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  await stage.end(request);
  const { status: _status, version: _version, ...after } = await storedReturn(gateway.sql, request);
  expect(decided).toMatchObject(after);
  await stage.replay(request);
}

/** One of the three that meet, as it gets in line for the return's row. */
type Comer = 'decision' | 'proposal' | 'timer';

/** What came of each order: the record lets in one after the other. */
const orders: readonly {
  readonly order: readonly [Comer, Comer, Comer];
  readonly outcome: 'AcceptedDefect' | 'Rejected';
  readonly proposal: Proposal;
  readonly isRefused: boolean;
}[] = [
  {
    order: ['decision', 'proposal', 'timer'],
    outcome: 'Rejected',
    proposal: 'refused',
    isRefused: false,
  },
  {
    order: ['decision', 'timer', 'proposal'],
    outcome: 'Rejected',
    proposal: 'refused',
    isRefused: false,
  },
  {
    order: ['proposal', 'decision', 'timer'],
    outcome: 'Rejected',
    proposal: 'accepted',
    isRefused: false,
  },
  {
    order: ['proposal', 'timer', 'decision'],
    outcome: 'Rejected',
    proposal: 'accepted',
    isRefused: false,
  },
  {
    order: ['timer', 'decision', 'proposal'],
    outcome: 'AcceptedDefect',
    proposal: 'refused',
    isRefused: true,
  },
  {
    order: ['timer', 'proposal', 'decision'],
    outcome: 'AcceptedDefect',
    proposal: 'refused',
    isRefused: true,
  },
];

/**
 * Lets the three come in that order to a row that is held until all are there. Decision and timer both go through the run,
 * where one waits for the other: of the two only the first is in line for the row, the second is in line for the run.
 */
async function meet(request: ReturnRequest, held: HeldRow, order: readonly Comer[]) {
  const command = decision('Rejected');
  const commandId = await stage.note(request, command);
  let inLine = 0;
  let decided: ReturnType<InspectionStage['send']> | undefined;
  let proposed: Promise<Proposal> | undefined;
  let isRunBusy = false;
  for (const comer of order) {
    if (comer === 'decision') decided = stage.send(request, command, commandId);
    else if (comer === 'proposal') proposed = propose(request);
    else await untilPast(deadlineOf(request));
    if (comer === 'proposal' || !isRunBusy) await held.untilWaiting((inLine += 1));
    isRunBusy ||= comer !== 'proposal';
  }
  await held.letGo();
  return { decided: await decided, proposal: await proposed };
}

describe('a decision, a late proposal and the end of the window at one instant', () => {
  test.concurrent.each(orders)(
    'have one outcome: $order.0, $order.1, $order.2',
    { timeout: 120_000 },
    async ({ order, outcome, proposal, isRefused }) => {
      const settled: Promise<void>[] = [];
      for (let round = 0; round < 10; round += 1) {
        const request = await underInspection(1500);
        const held = await holdReturn(gateway.sql, request.id);

        const answers = await meet(request, held, order);

        expect(answers.proposal).toBe(proposal);
        expect(answers.decided?.ok).toBe(!isRefused);
        if (isRefused) {
          const code = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';
          expect(answers.decided).toMatchObject({ failure: { code } });
        }
        expect(await storedReturn(gateway.sql, request)).toMatchObject({
          outcome,
          decidedBy: isRefused ? null : stage.operator.operatorId,
          proposedOutcome: proposal === 'accepted' ? 'AcceptedSound' : null,
          requiresStaffReview: false,
        });
        expect(await stage.inspectionMoves(request)).toHaveLength(1);
        settled.push(settle(request));
      }
      await Promise.all(settled);
    },
  );

  test('have one outcome, which all agree on, whoever comes first by a hair', async () => {
    const seen = new Set<string>();
    // Around the deadline, and one on either side that is out of the others' reach.
    const offsetsMs = [-300, 500, ...Array.from({ length: 14 }, (_, index) => index * 5 - 35)];
    const play = async (round: number): Promise<void> => {
      const request = await underInspection(1000);
      const command = decision('Rejected');
      const commandId = await stage.note(request, command);
      await untilPast(later(deadlineOf(request), offsetsMs[round] ?? 0));
      const send = () => stage.send(request, command, commandId);
      const early = round % 2 === 0 ? send() : null;
      const proposing = propose(request);
      const [decided, proposal] = await Promise.all([early ?? send(), proposing]);

      const stored = await storedReturn(gateway.sql, request);
      expect(stored).toMatchObject({
        outcome: decided.ok ? 'Rejected' : 'AcceptedDefect',
        decidedBy: decided.ok ? stage.operator.operatorId : null,
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
      expect(await stage.inspectionMoves(request)).toHaveLength(1);
      seen.add(`${decided.ok ? 'staff' : 'silence'}, ${proposal}`);
      await settle(request);
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

test('a decision that comes before the window’s end by an instant stands', async () => {
  const request = await underInspection(3000);
  const held = await holdReturn(gateway.sql, request.id);
  const decided = stage.order(request, decision('Rejected'));
  await held.untilWaiting(1);
  await untilPast(deadlineOf(request));
  await held.letGo();

  expect(await decided).toMatchObject({ ok: true });
  await settle(request);
  expect(await storedReturn(gateway.sql, request)).toMatchObject({
    outcome: 'Rejected',
    status: 'Closed',
  });
  await stage.record(request, 'decision-at-deadline');
});

test('a proposal that comes before the window’s end by an instant is no silence', async () => {
  const request = await underInspection(3000);
  const held = await holdReturn(gateway.sql, request.id);
  const proposal = propose(request);
  await held.untilWaiting(1);
  await untilPast(deadlineOf(request));
  await held.untilWaiting(2);
  await held.letGo();

  expect(await proposal).toBe('accepted');
  await stage.untilDetails(request, 'An operator must decide.');
  expect(await storedReturn(gateway.sql, request)).toMatchObject({
    status: 'UnderInspection',
    outcome: null,
    requiresStaffReview: true,
  });
  expect(await stage.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
  await settle(request);
  await stage.record(request, 'proposal-at-deadline');
});

describe('staff and the timer starting an inspection at one instant', () => {
  test.each(['staff', 'timer'])('start it once: %s first', async (first) => {
    const request = await stage.request({ times: { startMs: 1200 } });
    const received = await moveReturnTo(gateway.sql, request, 'Received');
    await stage.untilSeen(request, 'Received');
    const commandId = await stage.note(request, startCommand);
    const held = await holdReturn(gateway.sql, request.id);
    if (first === 'timer') await held.untilWaiting(1);
    const answer = stage.send(request, startCommand, commandId);
    if (first === 'staff') await held.untilWaiting(1);
    await untilPast(startDue(received));
    await held.letGo();

    expect(await answer).toMatchObject(
      first === 'staff'
        ? { ok: true, value: { status: 'UnderInspection' } }
        : { ok: false, failure: { code: 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION' } },
    );
    const moves = await returnMoves(gateway.sql, request);
    expect(moves.filter((move) => move.startsWith('Received'))).toHaveLength(1);
    expect(await stage.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
    await settle(request);
    await stage.record(request, `start-at-once-${first}-first`);
  });

  test('start it once, whoever comes first by a hair', async () => {
    const rounds = Array.from({ length: 12 }, async (_, round) => {
      const request = await stage.request({ times: { startMs: 1200 } });
      const received = await moveReturnTo(gateway.sql, request, 'Received');
      const commandId = await stage.note(request, startCommand);
      await untilPast(later(startDue(received), round * 3 - 15));
      const answer = await stage.send(request, startCommand, commandId);

      const started = await stage.untilStored(request, 'UnderInspection');
      if (!answer.ok)
        expect(answer.failure.code).toBe('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION');
      expect(started.version).toBe(received.version + 1);
      expect(await stage.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
      await settle(request);
    });
    await Promise.all(rounds);
  });
});
