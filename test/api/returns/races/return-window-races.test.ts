import { describe, expect } from 'vitest';
import { refusal } from '../../../support/api/api.ts';
import { invalidMove, photoUrl, storedReturn, succeeded } from '../return-fixture.ts';
import {
  changesTo,
  eachRound,
  expectDecidedOnce,
  isOk,
  raceTrack,
  receivedWithPhoto,
  roundsTimeoutMs,
  startInspection,
  test,
  toInspection,
  until,
} from './return-races.ts';

describe('the end of the window', { timeout: roundsTimeoutMs }, () => {
  test('against a proposal: silence decides, or staff must', async ({ gateway, brief }) => {
    await eachRound(async (jitterMs) => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const [proposed, passed] = await Promise.all([
        until(deadline - 2 + jitterMs).then(() => brief.propose(id, 'AcceptedSound')),
        until(deadline).then(() => brief.pass(id)),
      ]);
      if (!isOk(proposed)) {
        // From the deadline on, whether silence has decided yet or not (D81).
        expect(proposed).toMatchObject({
          ...refusal('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'),
          details: { action: 'propose', reason: 'WINDOW_CLOSED' },
        });
        expect(passed).toMatchObject({ outcome: 'AcceptedDefect', proposedOutcome: null });
        const { inspectionDecidedAt } = await expectDecidedOnce(gateway, brief, id, 'silence');
        expect(inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadline);
        return;
      }
      const open = {
        status: 'UnderInspection',
        outcome: null,
        proposedOutcome: 'AcceptedSound',
        requiresStaffReview: true,
      } as const;
      expect(passed).toMatchObject({ ...open, due: null });
      // Only staff decide then, however often the time is looked at.
      expect(await brief.pass(id)).toEqual(passed);
      const stored = { ...open, way: toInspection, version: 8 };
      expect(await storedReturn(brief, id)).toMatchObject(stored);
      await succeeded(brief.decide(id, 'Rejected'));
      expect((await expectDecidedOnce(gateway, brief, id, 'staff')).outcome).toBe('Rejected');
    });
  });

  test('decides once and never early, however often asked', async ({ gateway, brief }) => {
    await eachRound(async () => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const ask = async (): Promise<void> => {
        for (;;) {
          const { outcome } = await brief.pass(id);
          if (outcome !== null) return expect(Date.now()).toBeGreaterThanOrEqual(deadline);
        }
      };
      await Promise.all([ask(), ask(), ask()]);
      const stored = await expectDecidedOnce(gateway, brief, id, 'silence');
      expect(stored).toMatchObject({ outcome: 'AcceptedDefect', version: 7 });
      expect(stored.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadline);
    });
  });
});

test(
  'the start of an inspection by staff against its timer: it starts once, with that start’s window',
  { timeout: roundsTimeoutMs },
  async ({ gateway }) => {
    const startMs = 30;
    const track = await raceTrack(gateway.sql, { startMs });
    await eachRound(async (jitterMs) => {
      const id = await track.returnIn('InTransit');
      await succeeded(track.receive(id));
      const due = ((await storedReturn(track, id)).receivedAt?.getTime() ?? 0) + startMs;
      const [started, passed] = await Promise.all([
        until(due - 5 + jitterMs).then(() => track.staff('POST', `/${id}/start-inspection`, {})),
        until(due).then(() => track.pass(id)),
      ]);
      const stored = await storedReturn(track, id);
      const { inspectionStartedAt, inspectionDeadline, audit } = stored;
      expect(stored).toMatchObject({ way: toInspection, version: 5, outcome: null });
      expect(await changesTo(gateway, id, 'UnderInspection')).toEqual([inspectionStartedAt]);
      expect(Number(inspectionDeadline) - Number(inspectionStartedAt)).toBe(72 * 3_600_000);
      expect(passed).toMatchObject({
        status: 'UnderInspection',
        due: { step: 'endWindow', at: inspectionDeadline?.toISOString() },
      });
      expect(audit.includes('return.startInspection')).toBe(isOk(started));
      if (isOk(started)) return;
      expect(started).toMatchObject(invalidMove('UnderInspection', 'startInspection'));
      expect(Number(inspectionStartedAt)).toBeGreaterThanOrEqual(due);
    });
  },
);

const atOnce = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('of twenty pieces of evidence at once each is kept once', async ({ slow }) => {
  const id = await slow.returnIn('Received');
  const answers = await atOnce(20, (index) =>
    slow.addEvidence(id, 'Photo', `${photoUrl}?piece=${index}`),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  const { payload } = await slow.send('GET', `/${id}`);
  const { inspection } = payload as { inspection: { evidence: readonly { id: string }[] } };
  const { evidence } = inspection;
  expect(evidence).toHaveLength(20);
  expect(evidence).toEqual(expect.arrayContaining(answers.map((answer) => answer.payload)));
  expect(new Set(evidence.map((piece) => piece.id)).size).toBe(20);
  const stored = { version: 24, pieces: 20, status: 'Received' };
  expect(await storedReturn(slow, id)).toMatchObject(stored);
});

test('the limit of evidence is exact', async ({ gateway, slow }) => {
  const id = await slow.returnIn('Received');
  await gateway.sql`
    insert into return_evidence (id, return_id, url, kind, uploaded_at)
    select gen_random_uuid(), ${id}, ${photoUrl}, 'Document', now() from generate_series(1, 95)`;
  const answers = await atOnce(10, () => slow.addEvidence(id));
  expect(answers.filter(isOk)).toHaveLength(5);
  const full = refusal('BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 });
  for (const answer of answers.filter((each) => !isOk(each))) expect(answer).toMatchObject(full);
  expect((await storedReturn(slow, id)).pieces).toBe(100);
});

test('of ten receipts, and of ten decisions, one is', async ({ gateway, slow }) => {
  const id = await slow.returnIn('InTransit');
  expect((await atOnce(10, () => slow.receive(id))).filter(isOk)).toHaveLength(1);
  expect(await changesTo(gateway, id, 'Received')).toHaveLength(1);
  await startInspection(slow, id);
  const decisions = await atOnce(10, () => slow.decide(id, 'AcceptedDefect'));
  expect(decisions.filter(isOk)).toHaveLength(1);
  expect((await expectDecidedOnce(gateway, slow, id, 'staff')).version).toBe(6);
});
