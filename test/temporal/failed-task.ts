import { decisionQueueOf } from '../../temporal/task-queues.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { waiting } from '../support/webhooks/delivery.ts';

/** Takes the next workflow task as a worker does, and reports that it failed. */
export async function failTask({ client, config }: TestGateway): Promise<void> {
  const { workflowService, options } = client;
  const { namespace } = options;
  const taskQueue = { name: decisionQueueOf(config.TEMPORAL_TASK_QUEUE) };
  const { taskToken } = await client.withDeadline(Date.now() + waiting.timeout, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
  );
  await workflowService.respondWorkflowTaskFailed({ namespace, taskToken });
}
