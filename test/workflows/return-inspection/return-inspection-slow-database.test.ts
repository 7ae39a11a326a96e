import { describe, expect, vi } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { holdLock } from '../../support/database/locks.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';
import {
  createInspectionFixture,
  decision,
  startCommand,
  waiting,
} from '../../support/returns/inspection.ts';

type Kind = 'timerFired' | `workflowExecution${'Signaled' | 'UpdateAccepted' | 'UpdateCompleted'}`;

const test = restartTest
  .extend('fixture', ({ gateway }) => createInspectionFixture(gateway))
  /**
   * Locks the returns, so that local activities wait longer than a workflow task and the worker
   * completes tasks without a command. Then `begin` starts a local activity by an event of `kind`,
   * an operator's decision follows in a later task, and the lock ends.
   */
  .extend(
    'decideBehind',
    ({ gateway: { sql }, fixture }) =>
      async (
        request: ReturnRequest,
        kind: Kind,
        begin: () => Promise<unknown>,
        command = decision('Rejected'),
      ): Promise<void> => {
        const untilTaken = (of: Kind) =>
          vi.waitFor(async () => {
            const { events } = await fixture.run(request).fetchHistory();
            const newest = events?.findLastIndex((event) => event[`${of}EventAttributes`]) ?? -1;
            expect(newest).toBeGreaterThan(-1);
            const later = events?.slice(newest) ?? [];
            expect(later.some((event) => event.workflowTaskCompletedEventAttributes)).toBe(true);
          }, waiting);
        const commandId = await fixture.note(request, command);
        const release = await holdLock(
          sql,
          sql`lock table return_requests in access exclusive mode`,
        );
        await begin();
        await untilTaken(kind);
        const response = fixture.send(request, command, commandId).catch(() => null);
        await untilTaken('workflowExecutionUpdateAccepted');
        await release();
        await response;
      },
  );

describe.concurrent('replays the history of a decision that waits for a slow activity', () => {
  test('in the first read of the return', async ({ gateway, fixture, decideBehind }) => {
    const request = await fixture.moveTo(await fixture.request(), 'Received');
    const begin = async () => {
      await fixture.lateMessage(request);
      await gateway.startWorker();
    };
    await decideBehind(request, 'workflowExecutionSignaled', begin, startCommand);
    await fixture.untilStored(request, 'UnderInspection');
    await fixture.untilSeen(request, 'UnderInspection');
    await fixture.replay(request);
  });

  test('in a later read of the return', async ({ gateway, fixture, decideBehind }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3_600_000);
    const begin = () => fixture.lateMessage(request);
    await decideBehind(request, 'workflowExecutionSignaled', begin);
    await fixture.untilSeen(request, 'InspectionRejected');
    await fixture.replay(request);
  });

  test('at the end of the window', async ({ gateway, fixture, decideBehind }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3000);
    await fixture.untilSeen(request, 'UnderInspection');
    await decideBehind(request, 'timerFired', async () => undefined);
    await vi.waitFor(
      async () => expect(await fixture.inspectionMoves(request)).toHaveLength(1),
      waiting,
    );
    await fixture.replay(request);
  });
});
