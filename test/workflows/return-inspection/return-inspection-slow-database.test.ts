import { describe, expect, vi } from 'vitest';
import type { ReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  createInspectionFixture,
  decision,
  startCommand,
  waiting,
  type InspectionFixture,
} from '../../support/returns/inspection.ts';
import { moveReturnTo } from '../../support/returns/seed-returns.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';

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
  {
    kind,
    begin,
    command,
  }: {
    readonly kind: Kind;
    readonly begin: () => Promise<unknown>;
    readonly command: ReturnCommand;
  },
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

describe.concurrent('a decision that waits for Postgres behind', () => {
  test('the first read leaves a history that replays', async ({ gateway, fixture }) => {
    const request = await fixture.request();
    await moveReturnTo(gateway.sql, request, 'Received');
    const begin = async () => {
      await fixture.lateMessage(request);
      await gateway.startWorker();
    };
    const kind = 'workflowExecutionSignaled';
    await decideBehind(gateway, fixture, request, { kind, begin, command: startCommand });
    await fixture.untilStored(request, 'UnderInspection');
    await fixture.untilSeen(request, 'UnderInspection');
    await fixture.replay(request);
  });

  test('a read leaves a history that replays', async ({ gateway, fixture }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3_600_000);
    const begin = () => fixture.lateMessage(request);
    const command = decision('Rejected');
    await decideBehind(gateway, fixture, request, {
      kind: 'workflowExecutionSignaled',
      begin,
      command,
    });
    await fixture.untilSeen(request, 'InspectionRejected');
    await fixture.replay(request);
  });

  test('the end of the window leaves a history that replays', async ({ gateway, fixture }) => {
    await gateway.startWorker();
    const request = await fixture.underInspection(3000);
    await fixture.untilSeen(request, 'UnderInspection');
    await decideBehind(gateway, fixture, request, {
      kind: 'timerFired',
      begin: async () => undefined,
      command: decision('Rejected'),
    });
    await fixture.untilDecided(request);
    expect(await fixture.inspectionMoves(request)).toHaveLength(1);
    await fixture.replay(request);
  });
});
