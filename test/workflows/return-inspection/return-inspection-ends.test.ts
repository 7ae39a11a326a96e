import { describe, expect, vi } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import { type TestGateway } from '../../support/gateway.ts';
import {
  createInspectionStage,
  decision,
  startCommand,
  type InspectionStage,
} from '../../support/returns/inspection.ts';
import {
  addSeededEvidence,
  moveAsStaff,
  moveReturnTo,
  proposeAsVendor,
  returnMoves,
  storedReturn,
} from '../../support/returns/seed-returns.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest.extend('stage', { scope: 'file' }, ({ gateway }) =>
  createInspectionStage(gateway),
);

async function decided(
  gateway: TestGateway,
  stage: InspectionStage,
  outcome: 'AcceptedDefect' | 'Rejected',
): Promise<ReturnRequest> {
  const request = await stage.request();
  await moveReturnTo(gateway.sql, request, 'Received');
  for (const command of [startCommand, decision(outcome)]) {
    expect(await stage.order(request, command)).toMatchObject({ ok: true });
  }
  return request;
}

/** The run that was open all the while ended with this status; a message that comes later opens none that stays. */
async function expectEnd(
  gateway: TestGateway,
  stage: InspectionStage,
  request: ReturnRequest,
  runId: string,
  status: string,
): Promise<void> {
  expect(await stage.run(request).result()).toBe(status);
  expect((await stage.run(request).describe()).runId).toBe(runId);
  const stored = await storedReturn(gateway.sql, request);
  expect(stored.status).toBe(status);

  await stage.lateMessage(request);

  expect(await stage.run(request).result()).toBe(status);
  expect((await stage.run(request).describe()).runId).not.toBe(runId);
  await stage.replay(request);
  expect(await storedReturn(gateway.sql, request)).toEqual(stored);
}

describe('the run of a return ends', () => {
  test('when the customer withdraws', async ({ gateway, stage }) => {
    const request = await stage.request();
    const runId = await stage.untilSeen(request, 'Pending');
    await moveAsStaff(gateway.sql, request, 'approve');

    await moveAsStaff(gateway.sql, request, 'withdraw');

    await stage.run(request).result();
    await stage.record(request, 'withdrawn');
    await expectEnd(gateway, stage, request, runId, 'Withdrawn');
  });

  test('when staff decline the request', async ({ gateway, stage }) => {
    const request = await stage.request();
    const runId = await stage.untilSeen(request, 'Pending');

    await moveAsStaff(gateway.sql, request, 'reject', 'Too late');

    await stage.run(request).result();
    await stage.record(request, 'declined');
    await expectEnd(gateway, stage, request, runId, 'Rejected');
  });

  test('when one that was approved is closed, the goods never sent', async ({ gateway, stage }) => {
    const request = await stage.request();
    const runId = await stage.untilSeen(request, 'Pending');
    await moveReturnTo(gateway.sql, request, 'Approved');
    await stage.untilSeen(request, 'Approved');

    await moveAsStaff(gateway.sql, request, 'close');

    await stage.run(request).result();
    await stage.record(request, 'closed-after-approval');
    await expectEnd(gateway, stage, request, runId, 'Closed');
  });

  test('when one whose goods were rejected is closed, and not before', async ({
    gateway,
    stage,
  }) => {
    const request = await decided(gateway, stage, 'Rejected');
    const runId = await stage.untilSeen(request, 'InspectionRejected');

    await moveAsStaff(gateway.sql, request, 'close');

    await stage.run(request).result();
    await stage.record(request, 'rejected-then-closed');
    await expectEnd(gateway, stage, request, runId, 'Closed');
  });

  test('when the refund is released, and not before', async ({ gateway, stage }) => {
    const request = await decided(gateway, stage, 'AcceptedDefect');
    const runId = await stage.untilSeen(request, 'InspectionAccepted');

    await moveAsStaff(gateway.sql, request, 'releaseRefund');

    await stage.run(request).result();
    await stage.record(request, 'refund-released');
    await expectEnd(gateway, stage, request, runId, 'RefundReleased');
  });
});

test('a message that comes as the run ends finds it or opens one that ends too: none stays open', async ({
  gateway,
  stage,
}) => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const request = await stage.request();
    await stage.untilSeen(request, 'Pending');
    await moveAsStaff(gateway.sql, request, 'withdraw');
    await stage.untilSeen(request, 'Withdrawn');
    // All around the second for which an ended run waits for late messages.
    for (let message = 0; message < 6; message += 1) {
      const due = performance.now() + 150 + round * 15;
      await expect
        .poll(() => performance.now(), { interval: 5, timeout: 5000 })
        .toBeGreaterThan(due);
      await stage.lateMessage(request);
    }
    expect(await stage.run(request).result()).toBe('Withdrawn');
    await stage.replay(request);
  });
  await Promise.all(rounds);
});

test('a message about a return that there is not opens no run that stays', async ({ stage }) => {
  const request = { ...(await stage.request()), id: '01900000-0000-7000-8000-000000000000' };
  await stage.lateMessage(request);
  expect(await stage.run(request).result()).toBeNull();
});

describe('a return to a sorting point', () => {
  test('knows no silence: time does nothing, and staff do everything', async ({
    gateway,
    stage,
  }) => {
    const request = await stage.request({
      destination: 'SortingPoint',
      times: { startMs: 100, windowMs: 100 },
    });
    await moveReturnTo(gateway.sql, request, 'Received');
    const runId = await stage.untilSeen(request, 'Received');
    // A message makes the run look again, as far past both times as they are long.
    await expect.poll(() => Date.now()).toBeGreaterThan(request.requestedAt.getTime() + 600);
    await stage.lateMessage(request);
    expect(await stage.order(request, startCommand)).toMatchObject({
      value: { status: 'UnderInspection', due: null },
    });
    const started = await storedReturn(gateway.sql, request);
    await expect
      .poll(() => Date.now())
      .toBeGreaterThan((started.inspectionDeadline?.getTime() ?? 0) + 300);
    await stage.lateMessage(request);
    expect(await storedReturn(gateway.sql, request)).toEqual(started);

    expect(await stage.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
    await moveAsStaff(gateway.sql, request, 'releaseRefund');

    await stage.run(request).result();
    expect((await stage.timers(request)).map(({ summary }) => summary)).toEqual([
      'for late messages',
    ]);
    await stage.record(request, 'sorting-point');
    await expectEnd(gateway, stage, request, runId, 'RefundReleased');
  });

  test('is not the vendor’s to handle, whoever’s the goods are', async ({ gateway, stage }) => {
    const request = await stage.request({ destination: 'SortingPoint' });
    await moveReturnTo(gateway.sql, request, 'Received');
    expect(await stage.order(request, startCommand)).toMatchObject({ ok: true });

    await expect(addSeededEvidence(gateway.sql, request)).rejects.toMatchObject({
      code: 'NOT_FOUND_RETURN_REQUEST',
    });
    await expect(proposeAsVendor(gateway.sql, request, 'Rejected')).rejects.toMatchObject({
      code: 'NOT_FOUND_RETURN_REQUEST',
    });
    expect(await returnMoves(gateway.sql, request)).toHaveLength(4);
  });
});

test('a run whose history has grown long goes on in a new one, with the same deadline', async ({
  gateway,
  stage,
}) => {
  const request = await stage.underInspection(6000);
  const runId = await stage.untilSeen(request, 'UnderInspection');
  // The server suggests a new history from 4 MB on, with the next task.
  await vi.waitFor(
    async () => {
      await stage.run(request).signal('changed', 'x'.repeat(500_000));
      expect((await stage.run(request).describe()).runId).not.toBe(runId);
    },
    { timeout: 20_000, interval: 50 },
  );

  const silent = await stage.untilStored(request, 'InspectionAccepted');

  expect(silent.inspectionDeadline).toEqual(request.inspectionDeadline);
  expect(silent.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(
    request.inspectionDeadline?.getTime() ?? Infinity,
  );
  expect(silent).toMatchObject({ outcome: 'AcceptedDefect', version: request.version + 1 });
  expect(await stage.untilSeen(request, 'InspectionAccepted')).not.toBe(runId);
  const first = gateway.client.workflow.getHandle(returnInspectionId(request.id), runId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
});
