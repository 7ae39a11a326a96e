import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createDecisions } from '../../temporal/decisions.ts';
import { temporalFailureCode } from '../../temporal/temporal-failures.ts';
import { offerReviewStart } from '../../temporal/workflow-starts.ts';
import { restartTest as test } from '../support/gateway/workflow-test.ts';
import { failTask } from './failed-task.ts';

test('times out if its run keeps failing', async ({ gateway }) => {
  const { client, config } = gateway;
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const input = { offerId: uuidv7(), vendorId: uuidv7() };
  const handle = await client.workflow.start('offerReview', offerReviewStart(input, taskQueue));
  for (let failures = 0; failures < 3; failures += 1) await failTask(gateway);
  const decisions = createDecisions(client, { taskQueue, timeoutMs: 500 });
  const decision = { action: 'reject', commandId: uuidv7(), operatorId: 'someone' } as const;
  const sent = decisions.decideOffer(input, decision);
  await expect(sent).rejects.toSatisfy((error) => temporalFailureCode(error) === 'GATEWAY_TIMEOUT');
  await handle.terminate();
});
