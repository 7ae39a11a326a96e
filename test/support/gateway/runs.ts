import type { Client } from '@temporalio/client';
import type { RunMessage } from '../../../domain/messages.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { createMessageHandler } from '../../../temporal/message-handler.ts';
import { seedCommand } from '../seeds/seed.ts';
import type { TestGateway } from './gateway.ts';

/** What an operator reads of a run in the Temporal UI. */
export async function readDetails(client: Client, workflowId: string): Promise<string> {
  const { currentDetails = '' } = await client.workflow
    .getHandle(workflowId)
    .query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

/** Hands Temporal a message past the relay. */
export const handOver = (
  { relayClient, config }: TestGateway,
  message: RunMessage,
  retryDelaysMs: readonly number[] = config.WEBHOOK_RETRY_DELAYS_MS,
): Promise<void> =>
  createMessageHandler(relayClient, {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    retryDelaysMs,
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  })(message);

type Operator = { readonly id: string; readonly operatorId: string };

/** Sends a reviewer's decision whose command is stored. */
export const sendDecision = (
  { decisions }: TestGateway,
  { operatorId }: Operator,
  { id, vendorId }: Pick<Offer, 'id' | 'vendorId'>,
  { action, commandId }: { readonly action: ReviewCommand['action']; readonly commandId: string },
) => decisions.decideOffer({ offerId: id, vendorId }, { action, commandId, operatorId });

/** Stores a reviewer's decision and sends it, as the route does. */
export async function decideOffer(
  gateway: TestGateway,
  operator: Operator,
  offer: Pick<Offer, 'id' | 'vendorId'>,
  command: ReviewCommand,
) {
  const commandId = await seedCommand(gateway.sql, operator.id, offer.id, command);
  return sendDecision(gateway, operator, offer, { action: command.action, commandId });
}
