import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDecisions } from '../../temporal/decisions.ts';
import { createRuns } from '../../temporal/runs/open-runs.ts';
import { decisionQueueOf } from '../../temporal/task-queues.ts';
import { temporalFailureCode } from '../../temporal/temporal-failures.ts';
import { offerReviewStart } from '../../temporal/workflow-starts.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { restartTest as test } from '../support/gateway/workflow-test.ts';
import { waiting } from '../support/webhooks/delivery.ts';

/** Takes the next workflow task as a worker does, and reports that it failed. */
async function failTask({ client, config }: TestGateway): Promise<void> {
  const { workflowService, options } = client;
  const { namespace } = options;
  const taskQueue = { name: decisionQueueOf(config.TEMPORAL_TASK_QUEUE) };
  const { taskToken } = await client.withDeadline(Date.now() + waiting.timeout, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
  );
  await workflowService.respondWorkflowTaskFailed({ namespace, taskToken });
}

test('treats a run whose task keeps failing as idle, and times out a decision to it', async ({
  gateway,
}) => {
  const { client, config } = gateway;
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const runs = createRuns(client, { taskQueue });
  const input = { offerId: uuidv7(), vendorId: uuidv7() };
  const handle = await client.workflow.start('offerReview', offerReviewStart(input, taskQueue));
  const { firstExecutionRunId: runId } = handle;
  for (let failures = 0; failures < 3; failures += 1) {
    const [busy] = await runs.describeOpen('offerReview', [input.offerId]);
    expect(busy).toMatchObject({ isBusy: true });
    await failTask(gateway);
  }
  expect(await runs.describeOpen('offerReview', [input.offerId])).toMatchObject([
    { subjectId: input.offerId, runId, state: 'Starting', isBusy: false },
  ]);
  const decisions = createDecisions(client, { taskQueue, timeoutMs: 500 });
  const decision = { action: 'reject', commandId: uuidv7(), operatorId: 'someone' } as const;
  const sent = decisions.decideOffer(input, decision);
  await expect(sent).rejects.toSatisfy((error) => temporalFailureCode(error) === 'GATEWAY_TIMEOUT');
  await handle.terminate();
});
