import { expect } from 'vitest';
import type { ReturnStatus } from '../../../../domain/returns/return-status.ts';
import { refusal, type ApiResponse } from '../../../support/api/api.ts';
import { holdLock, untilLockWaits } from '../../../support/database/locks.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import {
  expectRefused,
  invalidMove,
  photoUrl,
  returnRecord,
  storedReturn,
  succeeded,
  type StoredReturn,
} from '../return-fixture.ts';
import {
  inspectedWithPhoto,
  raceTrack,
  receivedWithPhoto,
  startInspection,
  until,
  type RaceTrack,
} from './return-races.ts';

// Calls that meet on one return: exactly one outcome is recorded, once, and it is what the rules
// say for the order in which the calls got the row.

const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('brief', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs: 30 }));

const isOk = ({ status }: ApiResponse): boolean => status < 300;
const toInspection = 'Pending > Approved > InTransit > Received > UnderInspection';

/** The times of the status changes to a status. */
const changesTo = async ({ sql }: RaceTrack, id: string, status: string) => {
  const rows = await sql<{ at: Date }[]>`
    select at from return_status_changes where return_id = ${id} and to_status = ${status}`;
  return rows.map(({ at }) => at);
};

/**
 * What must hold of a decided return: its one outcome has one time, one status change, and one
 * audit entry if it is staff's. Whatever time, staff and the vendor try now, it stays as it is.
 */
async function expectDecidedOnce(
  track: RaceTrack,
  id: string,
  by: 'staff' | 'silence',
): Promise<StoredReturn> {
  const stored = await storedReturn(track, id);
  const { status, way, outcome, inspectionDecidedAt, decidedBy, requiresStaffReview } = stored;
  expect(way).toBe(`${toInspection} > ${status}`);
  expect(status).toBe(outcome === 'Rejected' ? 'InspectionRejected' : 'InspectionAccepted');
  expect(await changesTo(track, id, status)).toEqual([inspectionDecidedAt]);
  expect(requiresStaffReview).toBe(false);
  const decisions = stored.audit.filter((action) => action === 'return.decide').length;
  expect([decidedBy, decisions]).toEqual(by === 'staff' ? [track.operator.id, 1] : [null, 0]);
  const before = await returnRecord(track, id);
  expect(await track.pass(id)).toMatchObject({ status, outcome });
  for (const other of ['AcceptedSound', 'Rejected'] as const)
    expect((await track.decide(id, other)).status).toBe(422);
  expect((await track.propose(id, 'Rejected')).status).toBe(422);
  expect(await returnRecord(track, id)).toBe(before);
  return stored;
}

const holdReturn = ({ sql }: RaceTrack, id: string) =>
  holdLock(sql, sql`select from return_requests where id = ${id} for update`);

type Call = (track: RaceTrack, id: string) => Promise<unknown>;

/** Two calls come to a return's row one after the other, while it is held. */
async function meet(track: RaceTrack, id: string, first: Call, second: Call) {
  const release = await holdReturn(track, id);
  try {
    const one = first(track, id);
    await untilLockWaits(track.sql, 1);
    const two = second(track, id);
    await untilLockWaits(track.sql, 2);
    await release();
    return await Promise.all([one, two]);
  } finally {
    await release();
  }
}

const calls = {
  accept: ({ decide }, id) => decide(id, 'AcceptedSound', 'Accepted.'),
  reject: ({ decide }, id) => decide(id, 'Rejected', 'Rejected.'),
  'the time': ({ pass }, id) => pass(id),
  propose: ({ propose }, id) => propose(id, 'Rejected'),
  'evidence of': ({ addEvidence }, id) => addEvidence(id, 'Document'),
} satisfies Record<string, Call>;
type Name = keyof typeof calls;

const ok = { status: 200 };
const silence = { status: 'InspectionAccepted', outcome: 'AcceptedDefect' };
const bySilence = { ...silence, proposedOutcome: null, version: 7 };
const rejected = { status: 'InspectionRejected', outcome: 'Rejected', version: 7 };
const sound = { outcome: 'AcceptedSound', requiresStaffReview: false };
const proposed = { supplierProposedOutcome: 'Rejected', ...sound };
const late = (action: string) => invalidMove('InspectionAccepted', action);
/** The refusal of a proposal from the deadline on, whether silence has decided yet or not (D81). */
const windowClosed = (status: ReturnStatus) => ({
  ...invalidMove(status, 'propose'),
  details: { status, action: 'propose', reason: 'WINDOW_CLOSED' },
});

// Four moves, a photo and the decision make version 7.
test.for<[isOver: boolean, first: Name, second: Name, object, object, stored: object]>([
  [false, 'reject', 'accept', ok, invalidMove('InspectionRejected', 'decide'), rejected],
  [
    false,
    'propose',
    'accept',
    { status: 200, payload: { inspection: { requiresStaffReview: true } } },
    { status: 200, payload: { inspection: proposed } },
    { outcome: 'AcceptedSound', proposedOutcome: 'Rejected', version: 8 },
  ],
  [false, 'accept', 'propose', ok, late('propose'), { proposedOutcome: null, version: 7 }],
  [
    false,
    'evidence of',
    'accept',
    { status: 201 },
    { payload: { inspection: { evidence: [{}, { kind: 'Document' }] } } },
    { outcome: 'AcceptedSound', pieces: 2, version: 8 },
  ],
  [false, 'accept', 'evidence of', ok, late('evidence'), { pieces: 1, version: 7 }],
  // After the window has ended, and before the workflow's next step.
  [true, 'reject', 'the time', ok, { outcome: 'Rejected', due: null }, rejected],
  [true, 'the time', 'reject', silence, late('decide'), bySilence],
  [true, 'propose', 'the time', windowClosed('UnderInspection'), silence, bySilence],
  [true, 'the time', 'propose', silence, windowClosed('InspectionAccepted'), bySilence],
])(
  'judges calls in their order, after the window: %s, "%s" before "%s"; keeps the outcome',
  async ([isOver, one, two, first, second, stored], { slow, brief }) => {
    const track = isOver ? brief : slow;
    const { id, deadline } = await inspectedWithPhoto(track);
    if (isOver) await until(deadline);
    expect(await meet(track, id, calls[one], calls[two])).toMatchObject([first, second]);
    const by = stored === bySilence ? 'silence' : 'staff';
    expect(await expectDecidedOnce(track, id, by)).toMatchObject(stored);
  },
);

test.for(['staff first', 'time first'])(
  'starts an inspection once, with the window of that start: %s',
  async (order, { gateway }) => {
    const track = await raceTrack(gateway.sql, { startMs: 1 });
    const id = await track.returnIn('Received');
    await until(Number((await storedReturn(track, id)).receivedAt) + 1);
    const start: Call = ({ staff }) => staff('POST', `/${id}/start-inspection`, {});
    const isStaffs = order === 'staff first';
    const [first, second] = isStaffs ? [start, calls['the time']] : [calls['the time'], start];
    const results = await meet(track, id, first, second);
    const stored = await storedReturn(track, id);
    const { inspectionStartedAt, inspectionDeadline } = stored;
    const due = { step: 'endWindow', at: inspectionDeadline?.toISOString() };
    const passed = { status: 'UnderInspection', outcome: null, due };
    expect(results).toMatchObject(
      isStaffs ? [ok, passed] : [passed, invalidMove('UnderInspection', 'startInspection')],
    );
    expect(stored).toMatchObject({ way: toInspection, version: 5 });
    expect(await changesTo(track, id, 'UnderInspection')).toEqual([inspectionStartedAt]);
    expect(Number(inspectionDeadline) - Number(inspectionStartedAt)).toBe(72 * 3_600_000);
    expect(stored.audit.includes('return.startInspection')).toBe(isStaffs);
  },
);

test('judges a call that waited for the row by the time after the wait', async ({ gateway }) => {
  const track = await raceTrack(gateway.sql, { windowMs: 2000 });
  const { id, deadline } = await startInspection(track, await receivedWithPhoto(track));
  const release = await holdReturn(track, id);
  const asked = Date.now();
  const passing = track.pass(id);
  try {
    await untilLockWaits(gateway.sql, 1);
    await until(deadline);
  } finally {
    await release();
  }
  expect(await passing).toMatchObject({ outcome: 'AcceptedDefect' });
  expect(asked).toBeLessThan(deadline);
  const { inspectionDecidedAt } = await storedReturn(track, id);
  expect(Number(inspectionDecidedAt)).toBeGreaterThanOrEqual(deadline);
});

const withdraw = ({ staff }: RaceTrack, id: string) => staff('POST', `/${id}/withdraw`, {});
const send = ({ staff }: RaceTrack, id: string) => staff('POST', `/${id}/in-transit`, {});

test('refuses the later of a move and a withdrawal', async ({ gateway, slow }) => {
  const [one, two] = [await slow.returnIn('Approved'), await slow.returnIn('Approved')];
  const [withdrawn, sent] = [
    invalidMove('Withdrawn', 'inTransit'),
    invalidMove('InTransit', 'withdraw'),
  ];
  expect(await meet(slow, one, withdraw, send)).toMatchObject([ok, withdrawn]);
  expect(await meet(slow, two, send, withdraw)).toMatchObject([ok, sent]);
  await expectRefused(gateway, two, () => withdraw(slow, two), sent);
  await succeeded(slow.receive(two));
});

/** For all rounds, each of up to 20 calls: a busy machine takes three seconds for a round. */
const timeout = raceRounds * 3000;

/** `jitterMs` is from -10 to 10, another in every round. */
async function eachRound(play: (jitterMs: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < raceRounds; round += 1) await play((round % 21) - 10);
}

test.for(['decision', 'proposal'] as const)(
  'decides once at the end of the window beside a %s, by silence or by staff',
  { timeout },
  async (kind, { brief }) => {
    const isDecision = kind === 'decision';
    const open = {
      status: 'UnderInspection',
      outcome: null,
      proposedOutcome: 'AcceptedSound',
      requiresStaffReview: true,
    } as const;
    await eachRound(async (jitterMs) => {
      const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
      const call = () =>
        isDecision ? brief.decide(id, 'Rejected') : brief.propose(id, 'AcceptedSound');
      const [response, passed] = await Promise.all([
        until(deadline - (isDecision ? 5 : 2) + jitterMs).then(call),
        until(deadline).then(() => brief.pass(id)),
      ]);
      if (!isOk(response)) {
        const status = response.details['status'] as ReturnStatus;
        expect(response).toMatchObject(isDecision ? late('decide') : windowClosed(status));
        expect(passed).toMatchObject({ ...silence, proposedOutcome: null, due: null });
        const stored = await expectDecidedOnce(brief, id, 'silence');
        expect(stored).toMatchObject(bySilence);
        expect(Number(stored.inspectionDecidedAt)).toBeGreaterThanOrEqual(deadline);
        return;
      }
      const seen = isDecision ? { outcome: 'Rejected' } : open;
      expect(passed).toMatchObject({ ...seen, due: null });
      if (!isDecision) {
        // Only staff decide then, however often the time is looked at.
        expect(await brief.pass(id)).toEqual(passed);
        const stored = { ...open, way: toInspection, version: 8 };
        expect(await storedReturn(brief, id)).toMatchObject(stored);
        await succeeded(brief.decide(id, 'Rejected'));
      }
      const version = isDecision ? 7 : 9;
      expect(await expectDecidedOnce(brief, id, 'staff')).toMatchObject({ ...rejected, version });
    });
  },
);

test('decides by silence once, never early, if asked often', { timeout }, async ({ brief }) => {
  await eachRound(async () => {
    const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
    const ask = async (): Promise<void> => {
      for (;;) {
        const { outcome } = await brief.pass(id);
        if (outcome !== null) return expect(Date.now()).toBeGreaterThanOrEqual(deadline);
      }
    };
    await Promise.all([ask(), ask(), ask()]);
    const stored = await expectDecidedOnce(brief, id, 'silence');
    expect(stored).toMatchObject(bySilence);
    expect(Number(stored.inspectionDecidedAt)).toBeGreaterThanOrEqual(deadline);
  });
});

const atOnce = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('stores each of twenty concurrent pieces of evidence once, up to the limit', async ({
  slow,
}) => {
  const id = await slow.returnIn('Received');
  await slow.sql`
    insert into return_evidence (id, return_id, url, kind, uploaded_at)
    select gen_random_uuid(), ${id}, ${photoUrl}, 'Document', now() from generate_series(1, 90)`;
  const responses = await atOnce(20, (index) =>
    slow.addEvidence(id, 'Photo', `${photoUrl}?piece=${index}`),
  );
  const added = responses.filter(isOk);
  expect(added).toHaveLength(10);
  const full = refusal('BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 });
  for (const response of responses.filter((each) => !isOk(each)))
    expect(response).toMatchObject(full);
  const { payload } = await slow.send('GET', `/${id}`);
  const { inspection } = payload as { inspection: { evidence: readonly { id: string }[] } };
  const { evidence } = inspection;
  expect(evidence).toEqual(expect.arrayContaining(added.map((response) => response.payload)));
  expect(new Set(evidence.map((piece) => piece.id)).size).toBe(100);
  const stored = { version: 14, pieces: 100, status: 'Received' };
  expect(await storedReturn(slow, id)).toMatchObject(stored);
});

test('carries out one of ten concurrent receipts, and one of ten decisions', async ({ slow }) => {
  const id = await slow.returnIn('InTransit');
  expect((await atOnce(10, () => slow.receive(id))).filter(isOk)).toHaveLength(1);
  expect(await changesTo(slow, id, 'Received')).toHaveLength(1);
  await startInspection(slow, id);
  const decisions = await atOnce(10, () => slow.decide(id, 'AcceptedDefect'));
  expect(decisions.filter(isOk)).toHaveLength(1);
  expect((await expectDecidedOnce(slow, id, 'staff')).version).toBe(6);
});
