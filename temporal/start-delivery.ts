import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type {
  DeliveryDetails,
  DeliveryRunMessage,
  EndedDeliveryState,
} from '../domain/messages.ts';
import { webhookDeliveryId } from '../workflows/ids.ts';
import {
  retry,
  type DeliveryPosition,
  type ShownAttempt,
} from '../workflows/webhooks/webhook-delivery-messages.ts';
import { webhookDeliveryStart } from './delivery-starts.ts';

/** Times that become workflow input. */
export type DeliveryTimes = {
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
};

export async function startOrSignalDelivery(
  client: Client,
  taskQueue: string,
  times: DeliveryTimes,
  { subjectId: deliveryId, payload }: DeliveryRunMessage,
): Promise<void> {
  const { vendorId, eventType } = payload;
  const delivery = { deliveryId, vendorId, eventType, ...times };
  /**
   * Signals the run, or starts it. A run of an earlier schedule may still be open; it continues
   * from this position.
   */
  const signalWithStart = (
    from: DeliveryPosition,
    details: DeliveryDetails | undefined,
    ended?: EndedDeliveryState,
  ) =>
    client.workflow.signalWithStart('webhookDelivery', {
      ...webhookDeliveryStart({ ...delivery, from, ended }, taskQueue, details),
      workflowIdConflictPolicy: 'USE_EXISTING',
      signal: retry,
      signalArgs: [from],
    });
  switch (payload.signal) {
    case 'retry': {
      const { attempts, tries, dueAt, details } = payload;
      const latest = latestAttempt(attempts, details);
      await signalWithStart({ attempts, tries, dueAt, latest }, details);
      return;
    }
    case 'ended': {
      const { attempts, state, details } = payload;
      const latest = latestAttempt(attempts, details);
      const from: DeliveryPosition = { attempts, tries: 1, dueAt: null, latest };
      if (attempts > 1) await signalWithStart(from, details, state);
      else
        await ignore(
          WorkflowExecutionAlreadyStartedError,
          client.workflow.start('webhookDelivery', {
            ...webhookDeliveryStart({ ...delivery, from, ended: state }, taskQueue, details),
            // A repeated hand-over starts no second run.
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
          }),
        );
      return;
    }
    case 'deactivated':
    case 'changed': {
      const run = client.workflow.getHandle(webhookDeliveryId(deliveryId));
      await ignore(WorkflowNotFoundError, run.signal(payload.signal));
    }
  }
}

function latestAttempt(
  attempts: number,
  details: DeliveryDetails | undefined,
): ShownAttempt | undefined {
  if (attempts === 0 || details === undefined) return undefined;
  const { httpStatus, errorSummary, sentAt, batchId } = details;
  // The attempt has no result, because its worker was lost.
  if (httpStatus === null && errorSummary === null) return undefined;
  return { httpStatus, errorSummary, sentAt, batchId };
}

/** Waits for a call; an error of this class counts as success. */
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
