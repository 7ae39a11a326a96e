import { describe, expect } from 'vitest';
import {
  invalidMove,
  photoUrl,
  storedReturn,
  succeeded,
  type StoredReturn,
} from './return-fixture.ts';
import {
  expectSettled,
  inspectedWithPhoto,
  jitterMs,
  raceTrack,
  receivedWithPhoto,
  startInspection,
  until,
  type RaceTrack,
} from './return-races.ts';
import { type Answer, type Gateway } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

// Calls that meet on one return, in real transactions on the real Postgres. Of every round it is asked that exactly one
// outcome is recorded, once, and that it is what the rules say for the order in which the calls got the row.

const rounds = 100;
const windowMs = 30;

const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('brief', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs }));

async function eachRound(play: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await play(round);
}

const isOk = ({ status }: Answer): boolean => status < 300;
const decisionsIn = ({ audit }: StoredReturn) =>
  audit.filter((action) => action === 'return.decide').length;
const toInspection = 'Pending > Approved > InTransit > Received > UnderInspection';
/** The times of the status changes to a status. */
const changesTo = async (gateway: Gateway, id: string, status: string) =>
  (
    await gateway.sql<{ at: Date }[]>`
      select at from return_status_changes where return_id = ${id} and to_status = ${status}`
  ).map(({ at }) => at);

/** What must hold of a decided return: its one outcome has one time, one status change, and one audit entry if it is staff's. */
async function expectDecidedOnce(
  gateway: Gateway,
  track: RaceTrack,
  id: string,
  by: 'staff' | 'silence',
): Promise<StoredReturn> {
  const stored = await storedReturn(track, id);
  const { status, way, outcome, inspectionDecidedAt, decidedBy, requiresStaffReview } = stored;
  expect(way).toBe(`${toInspection} > ${status}`);
  expect(status).toBe(outcome === 'Rejected' ? 'InspectionRejected' : 'InspectionAccepted');
  expect(await changesTo(gateway, id, status)).toEqual([inspectionDecidedAt]);
  expect(requiresStaffReview).toBe(false);
  expect([decidedBy, decisionsIn(stored)]).toEqual(
    by === 'staff' ? [track.operator.id, 1] : [null, 0],
  );
  await expectSettled(track, id);
  return stored;
}

describe('a decision', () => {
  test('against another: one is made, and the other is told that it is', async ({
    gateway,
    slow,
  }) => {
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

  test('against the end of the window: staff’s, or the customer’s claim, and both tell the same', async ({
    gateway,
    brief,
  }) => {
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

  test('against a proposal: staff’s stands, and the proposal was made before it, or is refused', async ({
    gateway,
    slow,
  }) => {
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

  test('against evidence: it came before the decision and is kept, or is refused', async ({
    gateway,
    slow,
  }) => {
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

describe('the end of the window', () => {
  test('against a proposal: there was silence, and it decided; or there was none, and staff are asked for', async ({
    gateway,
    brief,
  }) => {
    await eachRound(async (round) => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const [proposed, passed] = await Promise.all([
        until(deadline - 2 + jitterMs(round)).then(() => brief.propose(id, 'AcceptedSound')),
        until(deadline).then(() => brief.pass(id)),
      ]);
      if (!isOk(proposed)) {
        expect(proposed).toMatchObject(invalidMove('InspectionAccepted', 'propose'));
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
      expect(await storedReturn(brief, id)).toMatchObject({
        ...open,
        way: toInspection,
        version: 8,
      });
      await succeeded(brief.decide(id, 'Rejected'));
      expect((await expectDecidedOnce(gateway, brief, id, 'staff')).outcome).toBe('Rejected');
    });
  });

  test('decides once, and never before it has come, however often and by how many it is asked', async ({
    gateway,
    brief,
  }) => {
    await eachRound(async () => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const ask = async (): Promise<void> => {
        for (;;) {
          const { outcome } = await brief.pass(id);
          if (outcome !== null) return expect(Date.now()).toBeGreaterThanOrEqual(deadline);
        }
      };
      await Promise.all([ask(), ask(), ask()]);
      const { outcome, version, inspectionDecidedAt } = await expectDecidedOnce(
        gateway,
        brief,
        id,
        'silence',
      );
      expect([outcome, version]).toEqual(['AcceptedDefect', 7]);
      expect(inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadline);
    });
  });
});

test('the start of an inspection by staff against its timer: it starts once, and the window is that start’s', async ({
  gateway,
}) => {
  const startMs = 30;
  const track = await raceTrack(gateway.sql, { startMs });
  await eachRound(async (round) => {
    const id = await track.returnIn('InTransit');
    await succeeded(track.receive(id));
    const due = ((await storedReturn(track, id)).receivedAt?.getTime() ?? 0) + startMs;
    const [started, passed] = await Promise.all([
      until(due - 5 + jitterMs(round)).then(() =>
        track.staff('POST', `/${id}/start-inspection`, {}),
      ),
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
});

const byId = (one: { id?: unknown } | null, other: { id?: unknown } | null) =>
  String(one?.id).localeCompare(String(other?.id));
const ten = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, make));

describe('many at once', () => {
  test('twenty pieces of evidence are all kept, each once', async ({ slow }) => {
    const id = await slow.returnIn('Received');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        slow.addEvidence(id, 'Photo', `${photoUrl}?piece=${index}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { payload } = await slow.send('GET', `/${id}`);
    const { evidence } = (payload as { inspection: { evidence: readonly { id: string }[] } })
      .inspection;
    expect(evidence.toSorted(byId)).toEqual(answers.map((answer) => answer.payload).toSorted(byId));
    expect(new Set(evidence.map((piece) => piece.id)).size).toBe(20);
    expect(await storedReturn(slow, id)).toMatchObject({
      version: 24,
      pieces: 20,
      status: 'Received',
    });
  });

  test('the limit of evidence is exact', async ({ gateway, slow }) => {
    const id = await slow.returnIn('Received');
    await gateway.sql`
      insert into return_evidence (id, return_id, url, kind, uploaded_at)
      select gen_random_uuid(), ${id}, ${photoUrl}, 'Document', now() from generate_series(1, 95)`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => slow.addEvidence(id)));
    expect(answers.filter(isOk)).toHaveLength(5);
    expect((await storedReturn(slow, id)).pieces).toBe(100);
  });

  test('of ten receipts, and of ten decisions, one is', async ({ gateway, slow }) => {
    const id = await slow.returnIn('InTransit');
    expect((await ten(() => slow.receive(id))).filter(isOk)).toHaveLength(1);
    expect(await changesTo(gateway, id, 'Received')).toHaveLength(1);
    await startInspection(slow, id);
    expect((await ten(() => slow.decide(id, 'AcceptedDefect'))).filter(isOk)).toHaveLength(1);
    expect((await expectDecidedOnce(gateway, slow, id, 'staff')).version).toBe(6);
  });
});
