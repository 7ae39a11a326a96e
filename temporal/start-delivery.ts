import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { webhookDeliveryId } from '../workflows/ids.ts';
import {
  deactivated,
  redeliver,
  retry,
  type DeliveryPosition,
} from '../workflows/webhook-delivery-messages.ts';
import type { MessageHandlerSettings } from './message-handler.ts';
import { webhookDeliveryStart, webhookDeliveryBatchStart } from './workflow-starts.ts';

type DeliveryMessage = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly input: Readonly<Record<string, string>>;
};

/** A run that is there already is what was asked for. */
async function unlessStarted(start: Promise<unknown>): Promise<void> {
  try {
    await start;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Starts the run that makes the first attempts of many deliveries. */
export const startDeliveryBatch = (
  client: Client,
  { taskQueue, retryDelaysMs, timeoutMs }: MessageHandlerSettings,
  dispatch: { readonly batchId: string; readonly size: number },
): Promise<void> =>
  unlessStarted(
    client.workflow.start('webhookDeliveryBatch', {
      ...webhookDeliveryBatchStart(
        { ...dispatch, retryDelayMs: retryDelaysMs[0] ?? null, timeoutMs },
        taskQueue,
      ),
      requestEagerStart: true,
    }),
  );

/** Tells the run of one delivery what its message says, or starts it. */
export async function startOrSignalDelivery(
  client: Client,
  { taskQueue, retryDelaysMs, timeoutMs }: MessageHandlerSettings,
  { deliveryId, vendorId, input }: DeliveryMessage,
): Promise<void> {
  const delivery = {
    deliveryId,
    vendorId,
    eventType: input['eventType'] ?? '',
    retryDelaysMs,
    timeoutMs,
  };
  const position: DeliveryPosition = {
    attempts: Number(input['attempts'] ?? 0),
    tries: Number(input['tries'] ?? 0),
    dueAt: input['dueAt'] ?? null,
  };
  const runFrom = {
    ...webhookDeliveryStart({ ...delivery, from: position }, taskQueue),
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  switch (input['signal'] ?? 'first') {
    case 'deactivated':
      await unlessGone(
        client.workflow.getHandle(webhookDeliveryId(deliveryId)).signal(deactivated),
      );
      return;
    case 'redeliver': {
      const signalArgs: [{ attempts: number }] = [{ attempts: position.attempts }];
      await client.workflow.signalWithStart('webhookDelivery', {
        ...runFrom,
        signal: redeliver,
        signalArgs,
      });
      return;
    }
    case 'retry': {
      // A run of an earlier schedule may be open still: it goes on from here.
      const signalArgs: [DeliveryPosition] = [position];
      await client.workflow.signalWithStart('webhookDelivery', {
        ...runFrom,
        signal: retry,
        signalArgs,
      });
      return;
    }
    default:
      await unlessStarted(
        client.workflow.start('webhookDelivery', {
          ...webhookDeliveryStart(delivery, taskQueue),
          workflowIdConflictPolicy: 'FAIL',
          // The first task comes back with the answer to the start, which saves a round of polling.
          requestEagerStart: true,
        }),
      );
  }
}

/** A run that is over needs no news. */
async function unlessGone(signal: Promise<void>): Promise<void> {
  try {
    await signal;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
