import { describe, expect, vi } from 'vitest';
import type { ReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';
import {
  createInspectionFixture,
  decision,
  startCommand,
  waiting,
  type InspectionFixture,
} from '../../support/returns/inspection.ts';

const test = restartTest.extend('fixture', ({ gateway }) => createInspectionFixture(gateway));

type Kind = 'timerFired' | `workflowExecution${'Signaled' | 'UpdateAccepted' | 'UpdateCompleted'}`;

/**
 * Locks the returns, so that local activities wait longer than a workflow task and the worker
 * completes tasks without a command. Then `begin` starts a local activity by an event of `kind`, an
 * operator's decision follows in a later task, and the lock ends.
 */
async function decideBehind(
  { sql }: TestGateway,
  fixture: InspectionFixture,
  request: ReturnRequest,
  kind: Kind,
  begin: () => Promise<unknown>,
  command: ReturnCommand = decision('Rejected'),
): Promise<void> {
  const untilTaken = (of: Kind) =>
    vi.waitFor(async () => {
      const { events } = await fixture.run(request).fetchHistory();
      const newest = events?.findLastIndex((event) => event[`${of}EventAttributes`]) ?? -1;
      expect(newest).toBeGreaterThan(-1);
      const later = events?.slice(newest) ?? [];
      expect(later.some((event) => event.workflowTaskCompletedEventAttributes)).toBe(true);
    }, waiting);
  const commandId = await fixture.note(request, command);
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table return_requests in access exclusive mode`;
  await begin();
  await untilTaken(kind);
  const answer = fixture.send(request, command, commandId).catch(() => null);
  await untilTaken('workflowExecutionUpdateAccepted');
  await holder`rollback`;
  holder.release();
  await answer;
}

describe.concurrent('leaves a history that replays when a decision waits behind', () => {
  test('the first read', async ({ gateway, fixture }) => {
    const request = await fixture.moveTo(await fixture.request(), 'Received');
    const begin = async () => {
      await fixture.lateMessage(request);
      await gateway.startWorker();
    };
    const kind = 'workflowExecutionSignaled';
    await decideBehind(gateway, fixture, request, kind, begin, startCommand);
    await fixture.untilStored(request, 'UnderInspection');
    await fixture.untilSeen(request, 'UnderInspection');
    await fixture.replay(request);
  });

  test('a read', async ({ gateway, fixture }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3_600_000);
    const begin = () => fixture.lateMessage(request);
    await decideBehind(gateway, fixture, request, 'workflowExecutionSignaled', begin);
    await fixture.untilSeen(request, 'InspectionRejected');
    await fixture.replay(request);
  });

  test('the end of the window', async ({ gateway, fixture }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3000);
    await fixture.untilSeen(request, 'UnderInspection');
    await decideBehind(gateway, fixture, request, 'timerFired', async () => undefined);
    await fixture.untilDecided(request);
    expect(await fixture.inspectionMoves(request)).toHaveLength(1);
    await fixture.replay(request);
  });
});
