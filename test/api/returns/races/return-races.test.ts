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
  holdReturn,
  inspectedWithPhoto,
  meet,
  raceTrack,
  receivedWithPhoto,
  startInspection,
  until,
  type RaceTrack,
} from './return-races.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { untilLockWaits } from '../../../support/database/locks.ts';
// What races leave to chance, in both orders: the return's row is held, the first call comes to it,
// then the second.

const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('over', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs: 1 }));

/** A return whose window has ended before the workflow's next step. */
async function overdue(over: RaceTrack): Promise<string> {
  const { id, deadline } = await startInspection(over, await receivedWithPhoto(over));
  await until(deadline);
  return id;
}

test('of two decisions the first one counts', async ({ slow }) => {
  const { id } = await inspectedWithPhoto(slow);
  const [first, second] = await meet(
    slow,
    id,
    () => slow.decide(id, 'Rejected', 'First.'),
    () => slow.decide(id, 'AcceptedDefect', 'Second.'),
  );
  expect(first).toMatchObject({ status: 200, payload: { inspection: { outcome: 'Rejected' } } });
  expect(second).toMatchObject(invalidMove('InspectionRejected', 'decide'));
  expect(
    (await storedReturn(slow, id)).audit.filter((action) => action === 'return.decide'),
  ).toHaveLength(1);
  await expectSettled(slow, id);
});

test('counts a late decision before the step at the window’s end', async ({ over }) => {
  const id = await overdue(over);
  const [decided, passed] = await meet(
    over,
    id,
    () => over.decide(id, 'Rejected'),
    () => over.pass(id),
  );
  expect(decided.status).toBe(200);
  expect(passed).toMatchObject({ status: 'InspectionRejected', outcome: 'Rejected', due: null });
  expect(await storedReturn(over, id)).toMatchObject({
    outcome: 'Rejected',
    decidedBy: over.operator.id,
  });
  await expectSettled(over, id);
});

test('a decision after silence has decided is refused, and leaves no trace', async ({ over }) => {
  const id = await overdue(over);
  const [passed, decided] = await meet(
    over,
    id,
    () => over.pass(id),
    () => over.decide(id, 'Rejected'),
  );
  expect(passed).toMatchObject({ status: 'InspectionAccepted', outcome: 'AcceptedDefect' });
  expect(decided).toMatchObject(invalidMove('InspectionAccepted', 'decide'));
  const stored = await storedReturn(over, id);
  expect(stored).toMatchObject({ outcome: 'AcceptedDefect', decidedBy: null });
  expect(stored.audit).not.toContain('return.decide');
  await expectSettled(over, id);
});

test('refuses a proposal after the deadline before the timer acts', async ({ over }) => {
  const id = await overdue(over);
  const [proposed, passed] = await meet(
    over,
    id,
    () => over.propose(id, 'AcceptedSound'),
    () => over.pass(id),
  );
  expect(proposed).toMatchObject(windowClosed('UnderInspection'));
  expect(passed).toMatchObject({ status: 'InspectionAccepted', outcome: 'AcceptedDefect' });
  expect(await storedReturn(over, id)).toMatchObject({ proposedOutcome: null, decidedBy: null });
  await expectSettled(over, id);
});

test('a proposal after silence has decided is refused, and is not recorded', async ({ over }) => {
  const id = await overdue(over);
  const [passed, proposed] = await meet(
    over,
    id,
    () => over.pass(id),
    () => over.propose(id, 'Rejected'),
  );
  expect(passed).toMatchObject({ outcome: 'AcceptedDefect' });
  expect(proposed).toMatchObject(windowClosed('InspectionAccepted'));
  expect(await storedReturn(over, id)).toMatchObject({
    proposedOutcome: null,
    requiresStaffReview: false,
  });
  await expectSettled(over, id);
});

test('keeps a proposal before a decision, and refuses a later one', async ({ slow }) => {
  const before = await inspectedWithPhoto(slow);
  const [proposed, decided] = await meet(
    slow,
    before.id,
    () => slow.propose(before.id, 'Rejected'),
    () => slow.decide(before.id, 'AcceptedSound'),
  );
  expect(proposed).toMatchObject({
    status: 200,
    payload: { inspection: { requiresStaffReview: true } },
  });
  expect(decided).toMatchObject({
    status: 200,
    payload: {
      inspection: {
        outcome: 'AcceptedSound',
        supplierProposedOutcome: 'Rejected',
        requiresStaffReview: false,
      },
    },
  });
  const after = await inspectedWithPhoto(slow);
  const [, late] = await meet(
    slow,
    after.id,
    () => slow.decide(after.id, 'AcceptedSound'),
    () => slow.propose(after.id, 'Rejected'),
  );
  expect(late).toMatchObject(invalidMove('InspectionAccepted', 'propose'));
  expect((await storedReturn(slow, after.id)).proposedOutcome).toBeNull();
});

test('keeps evidence before a decision, and refuses it after', async ({ slow }) => {
  const before = await inspectedWithPhoto(slow);
  const [added, decided] = await meet(
    slow,
    before.id,
    () => slow.addEvidence(before.id, 'Document'),
    () => slow.decide(before.id, 'AcceptedSound'),
  );
  expect(added.status).toBe(201);
  expect(decided.payload).toMatchObject({ inspection: { evidence: [{}, added.payload] } });
  const after = await inspectedWithPhoto(slow);
  const [, late] = await meet(
    slow,
    after.id,
    () => slow.decide(after.id, 'AcceptedSound'),
    () => slow.addEvidence(after.id, 'Document'),
  );
  expect(late).toMatchObject(invalidMove('InspectionAccepted', 'evidence'));
  expect((await storedReturn(slow, after.id)).pieces).toBe(1);
});

test.for(['staff first', 'time first'])(
  'the start of an inspection, %s: it is started once',
  async (order, { gateway }) => {
    const track = await raceTrack(gateway.sql, { startMs: 1 });
    const id = await track.returnIn('Received');
    await until(Number((await storedReturn(track, id)).receivedAt) + 1);
    const staff = () => track.staff('POST', `/${id}/start-inspection`, {});
    const isStaffs = order === 'staff first';
    if (isStaffs) {
      const [started, passed] = await meet(track, id, staff, () => track.pass(id));
      expect(started.status).toBe(200);
      expect(passed).toMatchObject({ status: 'UnderInspection', outcome: null });
    } else {
      const [passed, started] = await meet(track, id, () => track.pass(id), staff);
      expect(passed).toMatchObject({ status: 'UnderInspection', outcome: null });
      expect(started).toMatchObject(invalidMove('UnderInspection', 'startInspection'));
    }
    const stored = await storedReturn(track, id);
    expect(stored).toMatchObject({ status: 'UnderInspection', version: 5 });
    expect(stored.audit.includes('return.startInspection')).toBe(isStaffs);
  },
);

test('a call that waited for the row is judged by the time after the wait', async ({ gateway }) => {
  const brief = await raceTrack(gateway.sql, { windowMs: 300 });
  const { id, deadline } = await startInspection(brief, await receivedWithPhoto(brief));
  const release = await holdReturn(gateway.sql, id);
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

test('refuses the later of a move and a withdrawal', async ({ gateway, slow }) => {
  const withdraw = (id: string) => slow.staff('POST', `/${id}/withdraw`, {});
  const send = (id: string) => slow.staff('POST', `/${id}/in-transit`, {});
  const [one, two] = [await slow.returnIn('Approved'), await slow.returnIn('Approved')];
  const [withdrawn, sentLate] = await meet(
    slow,
    one,
    () => withdraw(one),
    () => send(one),
  );
  expect(withdrawn.status).toBe(200);
  expect(sentLate).toMatchObject(invalidMove('Withdrawn', 'inTransit'));
  const [sent, withdrawnLate] = await meet(
    slow,
    two,
    () => send(two),
    () => withdraw(two),
  );
  expect(sent.status).toBe(200);
  expect(withdrawnLate).toMatchObject(invalidMove('InTransit', 'withdraw'));
  await expectRefused(gateway, two, () => withdraw(two), invalidMove('InTransit', 'withdraw'));
  await succeeded(slow.receive(two));
});
