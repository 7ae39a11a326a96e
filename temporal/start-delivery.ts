import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { WebhookDeliveryBatchMessage, WebhookDeliveryMessage } from '../domain/messages.ts';
import { webhookDeliveryId } from '../workflows/ids.ts';
import {
  deactivated,
  redeliver,
  retry,
  type DeliveryPosition,
} from '../workflows/webhook-delivery-messages.ts';
import { webhookDeliveryStart, webhookDeliveryBatchStart } from './workflow-starts.ts';

/** Times that become workflow input. */
export type DeliveryTimes = {
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
};

/** Starts the run that makes the first attempts of a delivery batch. */
export const startDeliveryBatch = (
  client: Client,
  taskQueue: string,
  { retryDelaysMs, timeoutMs }: DeliveryTimes,
  { subjectId: batchId, payload }: WebhookDeliveryBatchMessage,
): Promise<void> =>
  ignore(
    WorkflowExecutionAlreadyStartedError,
    client.workflow.start('webhookDeliveryBatch', {
      ...webhookDeliveryBatchStart(
        { batchId, ...payload, retryDelayMs: retryDelaysMs[0] ?? null, timeoutMs },
        taskQueue,
      ),
      requestEagerStart: true,
    }),
  );

/** Starts or signals the run of one delivery. */
export async function startOrSignalDelivery(
  client: Client,
  taskQueue: string,
  times: DeliveryTimes,
  { subjectId: deliveryId, payload }: WebhookDeliveryMessage,
): Promise<void> {
  const { vendorId, eventType } = payload;
  const delivery = { deliveryId, vendorId, eventType, ...times };
  const startFrom = (from: DeliveryPosition) =>
    ({
      ...webhookDeliveryStart({ ...delivery, from }, taskQueue),
      workflowIdConflictPolicy: 'USE_EXISTING',
    }) as const;
  switch (payload.signal) {
    case 'start':
      await ignore(
        WorkflowExecutionAlreadyStartedError,
        client.workflow.start('webhookDelivery', {
          ...webhookDeliveryStart(delivery, taskQueue),
          workflowIdConflictPolicy: 'FAIL',
          // The answer to the start carries the first task, which saves a round of polling.
          requestEagerStart: true,
        }),
      );
      return;
    case 'redeliver': {
      const { attempts } = payload;
      await client.workflow.signalWithStart('webhookDelivery', {
        ...startFrom({ attempts, tries: 0, dueAt: null }),
        signal: redeliver,
        signalArgs: [{ attempts }],
      });
      return;
    }
    case 'retry': {
      // A run of an earlier schedule may still be open. It continues from this position.
      const { attempts, tries, dueAt } = payload;
      const position: DeliveryPosition = { attempts, tries, dueAt };
      await client.workflow.signalWithStart('webhookDelivery', {
        ...startFrom(position),
        signal: retry,
        signalArgs: [position],
      });
      return;
    }
    case 'deactivated':
      await ignore(
        WorkflowNotFoundError,
        client.workflow.getHandle(webhookDeliveryId(deliveryId)).signal(deactivated),
      );
  }
}

/** Waits for a call and counts errors of one class as success. */
async function ignore(
  expected: abstract new (...args: never) => Error,
  call: Promise<unknown>,
): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof expected)) throw error;
  }
}
