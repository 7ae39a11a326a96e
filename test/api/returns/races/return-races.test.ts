import { expect } from 'vitest';
import {
  expectRefused,
  invalidMove,
  storedReturn,
  succeeded,
  windowClosed,
} from '../return-fixture.ts';
import {
  expectSettled,
  inspectedWithPhoto,
  raceTrack,
  receivedWithPhoto,
  startInspection,
  until,
  type RaceTrack,
} from './return-races.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { holdLock, untilLockWaits } from '../../../support/database/locks.ts';
// What races leave to chance, in both orders: the return's row is held, the first call comes to it,
// then the second.

const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('over', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs: 1 }));

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
const bySilence = { ...silence, proposedOutcome: null, requiresStaffReview: false };
const rejected = { status: 'InspectionRejected', outcome: 'Rejected' };
const sound = { outcome: 'AcceptedSound', requiresStaffReview: false };
const proposed = { supplierProposedOutcome: 'Rejected', ...sound };
const late = (action: string) => invalidMove('InspectionAccepted', action);

test.for<[isOver: boolean, first: Name, second: Name, object, object, stored: object]>([
  [false, 'reject', 'accept', ok, invalidMove('InspectionRejected', 'decide'), rejected],
  [
    false,
    'propose',
    'accept',
    { status: 200, payload: { inspection: { requiresStaffReview: true } } },
    { status: 200, payload: { inspection: proposed } },
    { ...sound, proposedOutcome: 'Rejected' },
  ],
  [false, 'accept', 'propose', ok, late('propose'), { ...sound, proposedOutcome: null }],
  [
    false,
    'evidence of',
    'accept',
    { status: 201 },
    { payload: { inspection: { evidence: [{}, { kind: 'Document' }] } } },
    { ...sound, pieces: 2 },
  ],
  [false, 'accept', 'evidence of', ok, late('evidence'), { ...sound, pieces: 1 }],
  // After the window has ended, and before the workflow's next step.
  [true, 'reject', 'the time', ok, { ...rejected, due: null }, rejected],
  [true, 'the time', 'reject', silence, late('decide'), bySilence],
  [true, 'propose', 'the time', windowClosed('UnderInspection'), silence, bySilence],
  [true, 'the time', 'propose', silence, windowClosed('InspectionAccepted'), bySilence],
])(
  'judges in this order, the window over: %s, "%s" before "%s", and the outcome stays',
  async ([isOver, one, two, first, second, stored], { slow, over }) => {
    const track = isOver ? over : slow;
    const { id, deadline } = await inspectedWithPhoto(track);
    if (isOver) await until(deadline);
    expect(await meet(track, id, calls[one], calls[two])).toMatchObject([first, second]);
    const after = await storedReturn(track, id);
    expect(after).toMatchObject(stored);
    const decisions = after.audit.filter((action) => action === 'return.decide').length;
    expect([after.decidedBy, decisions]).toEqual(
      stored === bySilence ? [null, 0] : [track.operator.id, 1],
    );
    await expectSettled(track, id);
  },
);

test.for(['staff first', 'time first'])(
  'the start of an inspection, %s: it is started once',
  async (order, { gateway }) => {
    const track = await raceTrack(gateway.sql, { startMs: 1 });
    const id = await track.returnIn('Received');
    await until(Number((await storedReturn(track, id)).receivedAt) + 1);
    const start: Call = ({ staff }) => staff('POST', `/${id}/start-inspection`, {});
    const isStaffs = order === 'staff first';
    const [first, second] = isStaffs ? [start, calls['the time']] : [calls['the time'], start];
    const passed = { status: 'UnderInspection', outcome: null };
    expect(await meet(track, id, first, second)).toMatchObject(
      isStaffs ? [ok, passed] : [passed, invalidMove('UnderInspection', 'startInspection')],
    );
    const stored = await storedReturn(track, id);
    expect(stored).toMatchObject({ status: 'UnderInspection', version: 5 });
    expect(stored.audit.includes('return.startInspection')).toBe(isStaffs);
  },
);

test('a call that waited for the row is judged by the time after the wait', async ({ gateway }) => {
  const brief = await raceTrack(gateway.sql, { windowMs: 300 });
  const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
  const release = await holdReturn(brief, id);
  const asked = Date.now();
  const passing = brief.pass(id);
  try {
    await untilLockWaits(gateway.sql, 1);
    await until(deadline);
  } finally {
    await release();
  }
  expect(await passing).toMatchObject({ outcome: 'AcceptedDefect' });
  expect(asked).toBeLessThan(deadline);
  const { inspectionDecidedAt } = await storedReturn(brief, id);
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
