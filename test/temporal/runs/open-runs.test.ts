import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createRuns } from '../../../temporal/runs/open-runs.ts';
import { offerReviewStart } from '../../../temporal/workflow-starts.ts';
import { restartTest as test } from '../../support/gateway/workflow-test.ts';
import { failTask } from '../failed-task.ts';

test('reports a run whose task keeps failing', async ({ gateway }) => {
  const { client, config } = gateway;
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  const runs = createRuns(client, { taskQueue });
  const offerId = uuidv7();
  const input = { offerId, vendorId: uuidv7() };
  const handle = await client.workflow.start('offerReview', offerReviewStart(input, taskQueue));
  for (let failures = 0; failures < 3; failures += 1) {
    expect(await runs.describeOpen('offerReview', [offerId])).toMatchObject([{ isBusy: true }]);
    await failTask(gateway);
  }
  expect(await runs.describeOpen('offerReview', [offerId])).toMatchObject([
    {
      subjectId: offerId,
      runId: handle.firstExecutionRunId,
      state: 'Starting',
      isBusy: false,
    },
  ]);
  await handle.terminate();
});
