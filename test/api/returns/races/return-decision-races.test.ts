import { expect } from 'vitest';
import type { Answer } from '../../../support/api/api.ts';
import { invalidMove } from '../return-fixture.ts';
import {
  eachRound,
  expectDecidedOnce,
  inspectedWithPhoto,
  isOk,
  receivedWithPhoto,
  roundsTimeoutMs,
  startInspection,
  test,
  until,
  type RaceTrack,
} from './return-races.ts';

test.for<[string, (track: RaceTrack, id: string) => Promise<Answer>]>([
  ['decide', (track, id) => track.decide(id, 'Rejected')],
  ['propose', (track, id) => track.propose(id, 'Rejected')],
  ['evidence', (track, id) => track.addEvidence(id, 'Document')],
])(
  'a decision against "%s": the latter is refused, or precedes it',
  { timeout: roundsTimeoutMs },
  async ([action, call], { gateway, slow }) => {
    await eachRound(async (jitterMs) => {
      const { id } = await inspectedWithPhoto(slow);
      const start = Date.now() + 10;
      const isDecisive = action === 'decide';
      const shiftMs = isDecisive ? jitterMs / 4 : jitterMs;
      const [decided, other] = await Promise.all([
        until(start + Math.max(0, -shiftMs)).then(() => slow.decide(id, 'AcceptedSound')),
        until(start + Math.max(0, shiftMs)).then(() => call(slow, id)),
      ]);
      const stored = await expectDecidedOnce(gateway, slow, id, 'staff');
      const { status, outcome, version, proposedOutcome, pieces, inspectionDecidedAt } = stored;
      const hasPreceded = isOk(other) && !isDecisive;
      if (!isDecisive) expect(decided.status).toBe(200);
      if (!hasPreceded) {
        const lost = isOk(decided) ? other : decided;
        expect([decided, other].filter(isOk)).toHaveLength(1);
        expect(lost).toMatchObject(invalidMove(status, action));
      }
      expect(outcome).toBe(isOk(decided) ? 'AcceptedSound' : 'Rejected');
      // Four moves, a photo, the decision.
      expect(version).toBe(hasPreceded ? 8 : 7);
      expect(proposedOutcome).toBe(hasPreceded && action === 'propose' ? 'Rejected' : null);
      expect(pieces).toBe(hasPreceded && action === 'evidence' ? 2 : 1);
      if (pieces === 2) {
        const uploadedAt = Date.parse(String(other.payload?.['uploadedAt']));
        expect(uploadedAt).toBeLessThanOrEqual(inspectionDecidedAt?.getTime() ?? 0);
      }
    });
  },
);

test(
  'a decision against the end of the window: one outcome',
  { timeout: roundsTimeoutMs },
  async ({ gateway, brief }) => {
    await eachRound(async (jitterMs) => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const [decided, passed] = await Promise.all([
        until(deadline - 5 + jitterMs).then(() => brief.decide(id, 'Rejected')),
        until(deadline).then(() => brief.pass(id)),
      ]);
      const by = isOk(decided) ? 'staff' : 'silence';
      const stored = await expectDecidedOnce(gateway, brief, id, by);
      const { status, outcome, version, inspectionDecidedAt } = stored;
      expect(passed).toMatchObject({ status, outcome, due: null });
      expect(version).toBe(7);
      expect(outcome).toBe(isOk(decided) ? 'Rejected' : 'AcceptedDefect');
      if (isOk(decided)) return;
      expect(decided).toMatchObject(invalidMove('InspectionAccepted', 'decide'));
      expect(inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadline);
    });
  },
);
