import { describe, expect, vi } from 'vitest';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import {
  deadlineOf,
  decision,
  startCommand,
  untilPast,
  type InspectionFixture,
  inspectionTest as test,
} from '../../support/returns/inspection.ts';
import { moveAsStaff, moveReturnTo, storedReturn } from '../../support/returns/seed-returns.ts';

async function decided(
  gateway: TestGateway,
  fixture: InspectionFixture,
  outcome: 'AcceptedDefect' | 'Rejected',
): Promise<ReturnRequest> {
  const request = await fixture.request();
  await moveReturnTo(gateway.sql, request, 'Received');
  for (const command of [startCommand, decision(outcome)]) {
    expect(await fixture.order(request, command)).toMatchObject({ ok: true });
  }
  return request;
}

/**
 * The run that was open all the while ended with this status; a message that comes later opens none
 * that stays.
 */
async function expectEnd(
  gateway: TestGateway,
  fixture: InspectionFixture,
  request: ReturnRequest,
  runId: string,
  status: string,
): Promise<void> {
  expect(await fixture.run(request).result()).toBe(status);
  expect((await fixture.run(request).describe()).runId).toBe(runId);
  const stored = await storedReturn(gateway.sql, request);
  expect(stored.status).toBe(status);

  await fixture.lateMessage(request);

  expect(await fixture.run(request).result()).toBe(status);
  expect((await fixture.run(request).describe()).runId).not.toBe(runId);
  await fixture.replay(request);
  expect(await storedReturn(gateway.sql, request)).toEqual(stored);
}

describe('the run of a return ends', () => {
  test('when the customer withdraws', async ({ gateway, fixture }) => {
    const request = await fixture.request();
    const runId = await fixture.untilSeen(request, 'Pending');
    await moveAsStaff(gateway.sql, request, 'approve');

    await moveAsStaff(gateway.sql, request, 'withdraw');

    await fixture.run(request).result();
    await fixture.record(request, 'withdrawn');
    await expectEnd(gateway, fixture, request, runId, 'Withdrawn');
  });

  test('when staff decline the request', async ({ gateway, fixture }) => {
    const request = await fixture.request();
    const runId = await fixture.untilSeen(request, 'Pending');

    await moveAsStaff(gateway.sql, request, 'reject', 'Too late');

    await fixture.run(request).result();
    await fixture.record(request, 'declined');
    await expectEnd(gateway, fixture, request, runId, 'Rejected');
  });

  test('when an approved one is closed', async ({ gateway, fixture }) => {
    const request = await fixture.request();
    const runId = await fixture.untilSeen(request, 'Pending');
    await moveReturnTo(gateway.sql, request, 'Approved');
    await fixture.untilSeen(request, 'Approved');

    await moveAsStaff(gateway.sql, request, 'close');

    await fixture.run(request).result();
    await fixture.record(request, 'closed-after-approval');
    await expectEnd(gateway, fixture, request, runId, 'Closed');
  });

  test('when a rejected one is closed, and not before', async ({ gateway, fixture }) => {
    const request = await decided(gateway, fixture, 'Rejected');
    const runId = await fixture.untilSeen(request, 'InspectionRejected');

    await moveAsStaff(gateway.sql, request, 'close');

    await fixture.run(request).result();
    await fixture.record(request, 'rejected-then-closed');
    await expectEnd(gateway, fixture, request, runId, 'Closed');
  });

  test('when the refund is released, and not before', async ({ gateway, fixture }) => {
    const request = await decided(gateway, fixture, 'AcceptedDefect');
    const runId = await fixture.untilSeen(request, 'InspectionAccepted');

    await moveAsStaff(gateway.sql, request, 'releaseRefund');

    await fixture.run(request).result();
    await fixture.record(request, 'refund-released');
    await expectEnd(gateway, fixture, request, runId, 'RefundReleased');
  });
});

test('ends each run that a late message reaches or opens', async ({ gateway, fixture }) => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const request = await fixture.request();
    await fixture.untilSeen(request, 'Pending');
    await moveAsStaff(gateway.sql, request, 'withdraw');
    await fixture.untilSeen(request, 'Withdrawn');
    // All around the second for which an ended run waits for late messages.
    for (let message = 0; message < 6; message += 1) {
      await untilPast(later(new Date(), 150 + round * 15));
      await fixture.lateMessage(request);
    }
    expect(await fixture.run(request).result()).toBe('Withdrawn');
    await fixture.replay(request);
  });
  await Promise.all(rounds);
});

test('a message about a return that there is not opens no run that stays', async ({ fixture }) => {
  const request = { ...(await fixture.request()), id: '01900000-0000-7000-8000-000000000000' };
  await fixture.lateMessage(request);
  expect(await fixture.run(request).result()).toBeNull();
});

describe('a return to a sorting point', () => {
  test('knows no silence', async ({ gateway, fixture }) => {
    const request = await fixture.request({
      destination: 'SortingPoint',
      times: { startMs: 100, windowMs: 100 },
    });
    await moveReturnTo(gateway.sql, request, 'Received');
    const runId = await fixture.untilSeen(request, 'Received');
    // A message makes the run look again, as far past both times as they are long.
    await untilPast(later(request.requestedAt, 600));
    await fixture.lateMessage(request);
    expect(await fixture.order(request, startCommand)).toMatchObject({
      value: { status: 'UnderInspection', due: null },
    });
    const started = await storedReturn(gateway.sql, request);
    await untilPast(later(deadlineOf(started), 300));
    await fixture.lateMessage(request);
    expect(await storedReturn(gateway.sql, request)).toEqual(started);

    expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
    await moveAsStaff(gateway.sql, request, 'releaseRefund');

    await fixture.run(request).result();
    expect((await fixture.timers(request)).map(({ summary }) => summary)).toEqual([
      'for late messages',
    ]);
    await fixture.record(request, 'sorting-point');
    await expectEnd(gateway, fixture, request, runId, 'RefundReleased');
  });
});

test('continues a long history as new with its deadline', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(6000);
  const runId = await fixture.untilSeen(request, 'UnderInspection');
  // The server suggests a new history from 4 MB on, with the next task.
  await vi.waitFor(
    async () => {
      await fixture.run(request).signal('changed', 'x'.repeat(500_000));
      expect((await fixture.run(request).describe()).runId).not.toBe(runId);
    },
    { timeout: 20_000, interval: 50 },
  );

  const silent = await fixture.untilStored(request, 'InspectionAccepted');

  expect(silent.inspectionDeadline).toEqual(request.inspectionDeadline);
  expect(silent.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(
    request.inspectionDeadline?.getTime() ?? Infinity,
  );
  expect(silent).toMatchObject({ outcome: 'AcceptedDefect', version: request.version + 1 });
  expect(await fixture.untilSeen(request, 'InspectionAccepted')).not.toBe(runId);
  const first = gateway.client.workflow.getHandle(returnInspectionId(request.id), runId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
});
