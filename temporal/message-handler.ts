import type { Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { agreementChanged } from '../workflows/agreement-switch-messages.ts';
import { offerChanged } from '../workflows/offer-review-messages.ts';
import {
  evidenceAdded,
  outcomeProposed,
  returnChanged,
  returnReceived,
} from '../workflows/return-inspection-messages.ts';
import {
  agreementSwitchStart,
  offerReviewStart,
  returnInspectionStart,
} from './workflow-starts.ts';
import { startOrSignalDelivery, startDeliveryBatch } from './start-delivery.ts';

/** Times that become workflow input. */
export type MessageHandlerSettings = {
  readonly taskQueue: string;
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
};

/** A message of the outbox, as far as Temporal is concerned. */
export type DispatchableMessage = {
  readonly kind:
    | 'offerReview'
    | 'webhookDelivery'
    | 'webhookDeliveryBatch'
    | 'agreementSwitch'
    | 'returnInspection';
  readonly subjectId: string;
  readonly input: Readonly<Record<string, string>>;
};

/** A start takes milliseconds; a server that needs longer than this is away. */
const deadlineMs = 10_000;

/**
 * Starts, or signals and starts, the workflow that a message is for. Repeating it changes nothing. Rejects when Temporal
 * did not take it.
 */
export const createMessageHandler =
  (client: Client, settings: MessageHandlerSettings) =>
  (message: DispatchableMessage): Promise<void> =>
    client.withDeadline(Date.now() + deadlineMs, () => dispatch(client, settings, message));

async function dispatch(
  client: Client,
  settings: MessageHandlerSettings,
  { kind, subjectId, input }: DispatchableMessage,
): Promise<void> {
  const { taskQueue } = settings;
  const vendorId = input['vendorId'] ?? '';
  if (kind === 'offerReview') {
    await client.workflow.signalWithStart('offerReview', {
      ...offerReviewStart({ offerId: subjectId, vendorId }, taskQueue),
      signal: offerChanged,
    });
    return;
  }
  if (kind === 'agreementSwitch') {
    await client.workflow.signalWithStart('agreementSwitch', {
      ...agreementSwitchStart(subjectId, taskQueue),
      signal: agreementChanged,
    });
    return;
  }
  if (kind === 'returnInspection') {
    const times = {
      inspectionStartMs: Number(input['inspectionStartMs']),
      inspectionWindowMs: Number(input['inspectionWindowMs']),
    };
    await client.workflow.signalWithStart('returnInspection', {
      ...returnInspectionStart({ returnId: subjectId, vendorId, ...times }, taskQueue),
      signal: returnSignals[input['signal'] ?? ''] ?? returnChanged,
    });
    return;
  }
  if (kind === 'webhookDeliveryBatch') {
    await startDeliveryBatch(client, settings, { batchId: subjectId, size: Number(input['size']) });
    return;
  }
  await startOrSignalDelivery(client, settings, { deliveryId: subjectId, vendorId, input });
}

/** By the name that the message has of them; every one of them makes the run look again. */
const returnSignals: Readonly<Record<string, SignalDefinition>> = {
  received: returnReceived,
  evidence: evidenceAdded,
  proposed: outcomeProposed,
};
