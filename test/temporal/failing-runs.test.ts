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

/** Starts the review of an offer that does not exist. */
async function startReview({ client, config }: TestGateway) {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const input = { offerId: uuidv7(), vendorId: uuidv7() };
  const handle = await client.workflow.start('offerReview', offerReviewStart(input, taskQueue));
  return { taskQueue, input, handle };
}

test('shows a run as idle once its task has failed three times', async ({ gateway }) => {
  const { client } = gateway;
  const { taskQueue, input, handle } = await startReview(gateway);
  const runs = createRuns(client, { taskQueue });
  for (let failures = 0; failures < 3; failures += 1) {
    const [busy] = await runs.describeOpen('offerReview', [input.offerId]);
    expect(busy).toMatchObject({ isBusy: true });
    await failTask(gateway);
  }
  expect(await runs.describeOpen('offerReview', [input.offerId])).toMatchObject([
    { subjectId: input.offerId, state: 'Starting', isBusy: false },
  ]);
  await handle.terminate();
});

test('times out a decision to a run whose task fails', async ({ gateway }) => {
  const { client } = gateway;
  const { taskQueue, input, handle } = await startReview(gateway);
  await failTask(gateway);
  const decisions = createDecisions(client, { taskQueue, timeoutMs: 500 });
  const decision = { action: 'reject', commandId: uuidv7(), operatorId: 'someone' } as const;
  const sent = decisions.decideOffer(input, decision);
  await expect(sent).rejects.toSatisfy((error) => temporalFailureCode(error) === 'GATEWAY_TIMEOUT');
  await handle.terminate();
});
