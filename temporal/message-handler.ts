import type { Client } from '@temporalio/client';
import type { RunMessage } from '../domain/messages.ts';
import { recordChanged } from '../workflows/record-changed.ts';
import {
  agreementSwitchStart,
  bulkJobStart,
  clockAdvanceStart,
  offerReviewStart,
  returnInspectionStart,
  reviewJobStart,
} from './workflow-starts.ts';
import { startOrSignalDelivery, type DeliveryTimes } from './start-delivery.ts';

export type MessageHandlerSettings = DeliveryTimes & { readonly taskQueue: string };

/** A start takes milliseconds. A server that needs longer than this counts as unavailable. */
const defaultCallTimeoutMs = 10_000;

/**
 * Creates a function that starts or signals the workflow of a message. Idempotent. Rejects when
 * Temporal did not take the message.
 */
export const createMessageHandler =
  (client: Client, settings: MessageHandlerSettings, callTimeoutMs = defaultCallTimeoutMs) =>
  (message: RunMessage): Promise<void> =>
    client.withDeadline(Date.now() + callTimeoutMs, async () => {
      await handleMessage(client, settings, message);
    });

function handleMessage(
  client: Client,
  { taskQueue, ...times }: MessageHandlerSettings,
  message: RunMessage,
): Promise<unknown> {
  const { kind, subjectId, payload } = message;
  switch (kind) {
    case 'offerReview':
      return client.workflow.signalWithStart('offerReview', {
        ...offerReviewStart({ offerId: subjectId, ...payload }, taskQueue),
        signal: recordChanged,
      });
    case 'agreementSwitch':
      return client.workflow.signalWithStart('agreementSwitch', {
        ...agreementSwitchStart(subjectId, taskQueue),
        signal: recordChanged,
      });
    case 'clockAdvance':
      return client.workflow.signalWithStart('clockAdvance', {
        ...clockAdvanceStart(subjectId, taskQueue),
        signal: recordChanged,
      });
    case 'returnInspection': {
      const { signal, ...input } = payload;
      return client.workflow.signalWithStart('returnInspection', {
        ...returnInspectionStart({ returnId: subjectId, ...input }, taskQueue),
        signal,
      });
    }
    case 'bulkJob':
      return client.workflow.start(
        'bulkJob',
        bulkJobStart({ jobId: subjectId, ...payload }, taskQueue),
      );
    case 'reviewJob':
      return client.workflow.start(
        'reviewJob',
        reviewJobStart({ jobId: subjectId, ...payload }, taskQueue),
      );
    case 'webhookDelivery':
      return startOrSignalDelivery(client, taskQueue, times, message);
  }
}
