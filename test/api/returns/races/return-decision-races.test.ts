import { describe, expect } from 'vitest';
import { invalidMove } from '../return-fixture.ts';
import {
  eachRound,
  expectDecidedOnce,
  inspectedWithPhoto,
  isOk,
  jitterMs,
  receivedWithPhoto,
  roundsTimeoutMs,
  startInspection,
  test,
  until,
} from './return-races.ts';

describe('a decision', { timeout: roundsTimeoutMs }, () => {
  test('against another: one succeeds', async ({ gateway, slow }) => {
    await eachRound(async (round) => {
      const { id } = await inspectedWithPhoto(slow);
      const start = Date.now() + 10;
      const [accept, reject] = await Promise.all([
        until(start + Math.max(0, jitterMs(round) / 4)).then(() =>
          slow.decide(id, 'AcceptedSound'),
        ),
        until(start + Math.max(0, -jitterMs(round) / 4)).then(() => slow.decide(id, 'Rejected')),
      ]);
      expect([accept.status, reject.status].toSorted((a, b) => a - b)).toEqual([200, 422]);
      const { status, outcome, version } = await expectDecidedOnce(gateway, slow, id, 'staff');
      expect(outcome).toBe(isOk(accept) ? 'AcceptedSound' : 'Rejected');
      expect(isOk(accept) ? reject : accept).toMatchObject(invalidMove(status, 'decide'));
      // Four moves, a photo, the decision.
      expect(version).toBe(7);
    });
  });

  test('against the end of the window: one outcome', async ({ gateway, brief }) => {
    await eachRound(async (round) => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const [decided, passed] = await Promise.all([
        until(deadline - 5 + jitterMs(round)).then(() => brief.decide(id, 'Rejected')),
        until(deadline).then(() => brief.pass(id)),
      ]);
      const stored = await expectDecidedOnce(
        gateway,
        brief,
        id,
        isOk(decided) ? 'staff' : 'silence',
      );
      expect(passed).toMatchObject({ status: stored.status, outcome: stored.outcome, due: null });
      expect(stored.version).toBe(7);
      if (isOk(decided)) {
        expect(stored.outcome).toBe('Rejected');
        return;
      }
      expect(decided).toMatchObject(invalidMove('InspectionAccepted', 'decide'));
      expect(stored.outcome).toBe('AcceptedDefect');
      expect(stored.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadline);
    });
  });

  test('against a proposal: it precedes it or is refused', async ({ gateway, slow }) => {
    await eachRound(async (round) => {
      const { id } = await inspectedWithPhoto(slow);
      const start = Date.now() + 10;
      const [decided, proposed] = await Promise.all([
        until(start).then(() => slow.decide(id, 'AcceptedDefect')),
        until(start + jitterMs(round)).then(() => slow.propose(id, 'Rejected')),
      ]);
      expect(decided.status).toBe(200);
      const { outcome, proposedOutcome, version } = await expectDecidedOnce(
        gateway,
        slow,
        id,
        'staff',
      );
      expect(outcome).toBe('AcceptedDefect');
      expect([proposedOutcome, version]).toEqual(isOk(proposed) ? ['Rejected', 8] : [null, 7]);
      if (!isOk(proposed))
        expect(proposed).toMatchObject(invalidMove('InspectionAccepted', 'propose'));
    });
  });

  test('against evidence: it precedes it or is refused', async ({ gateway, slow }) => {
    await eachRound(async (round) => {
      const { id } = await inspectedWithPhoto(slow);
      const start = Date.now() + 10;
      const [decided, added] = await Promise.all([
        until(start).then(() => slow.decide(id, 'Rejected')),
        until(start + jitterMs(round)).then(() => slow.addEvidence(id, 'Document')),
      ]);
      expect(decided.status).toBe(200);
      const { pieces, version, inspectionDecidedAt } = await expectDecidedOnce(
        gateway,
        slow,
        id,
        'staff',
      );
      expect([pieces, version]).toEqual(isOk(added) ? [2, 8] : [1, 7]);
      if (isOk(added)) {
        const uploadedAt = Date.parse(String(added.payload?.['uploadedAt']));
        expect(uploadedAt).toBeLessThanOrEqual(inspectionDecidedAt?.getTime() ?? 0);
      } else expect(added).toMatchObject(invalidMove('InspectionRejected', 'evidence'));
    });
  });
});
