import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createRuns } from '../../../temporal/runs/open-runs.ts';
import { decisionQueueOf } from '../../../temporal/task-queues.ts';
import { offerReviewStart } from '../../../temporal/workflow-starts.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { waiting } from '../../support/webhooks/delivery.ts';
import { restartTest as test } from '../../support/gateway/workflow-test.ts';

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

test('a run whose task keeps failing is no run at work, so that checks report it', async ({
  gateway,
}) => {
  const { client, config } = gateway;
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const runs = createRuns(client, { taskQueue });
  const offerId = uuidv7();
  const input = { offerId, vendorId: uuidv7() };
  const handle = await client.workflow.start('offerReview', offerReviewStart(input, taskQueue));
  for (let failures = 0; failures < 3; failures += 1) {
    expect(await runs.findIdle('offerReview', [offerId])).toEqual([]);
    await failTask(gateway);
  }
  expect(await runs.findIdle('offerReview', [offerId])).toMatchObject([
    { subjectId: offerId, runId: handle.firstExecutionRunId, state: 'Starting' },
  ]);
  await handle.terminate();
});
