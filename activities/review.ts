import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { insertAuditEntry } from '../db/audit.ts';
import type { Queryable, Sql } from '../db/client.ts';
import { isDataFault } from '../db/failure.ts';
import { emitEvent } from '../db/events.ts';
import { findAnyOffer, lockAnyOffer, updateReviewedOffer } from '../db/offers.ts';
import {
  lockOperatorCommand,
  recordOperatorCommandResult,
  type OperatorCommand,
} from '../db/operator-commands.ts';
import { upsertSupplyOption } from '../db/supply-options.ts';
import { findVariant } from '../db/variants.ts';
import type { Failure } from '../domain/errors.ts';
import { eventBody, type ReviewDecisionData } from '../domain/events.ts';
import type { Offer } from '../domain/offer.ts';
import { reviewOffer, variantIdAfter, type ReviewCommand, type Reviewed } from '../domain/review-offer.ts';
import type { DecisionOutcome, DecisionRequest, ReviewState } from '../workflows/offer-review-messages.ts';

export type ReviewActivities = {
  /** Where the offer stands now; null when there is none of that id. */
  readonly readReviewState: (input: { readonly offerId: string }) => Promise<ReviewState | null>;
  /**
   * Applies one decision in one transaction: offer, supply option, status change, audit, event. Repeated, it answers
   * what the first run did. Throws an ApplicationFailure whose type is the catalogue's code when a rule refuses.
   */
  readonly applyReviewDecision: (request: DecisionRequest) => Promise<DecisionOutcome>;
};

/** What the command's row holds of a decision; written by the API, read here. */
const storedCommand = v.variant('action', [
  v.object({
    action: v.literal('approve'),
    variantId: v.nullable(v.string()),
    expectedVersion: v.nullable(v.number()),
  }),
  v.object({ action: v.literal('reject'), reason: v.string(), expectedVersion: v.nullable(v.number()) }),
]);
const storedOutcome = v.object({ decision: v.picklist(['Approved', 'Rejected']), status: v.string() });

export const createReviewActivities = ({ sql }: { readonly sql: Sql }): ReviewActivities => ({
  readReviewState: async ({ offerId }) => {
    const offer = await findAnyOffer(sql, offerId);
    return offer === null ? null : stateOf(offer);
  },
  applyReviewDecision: (request) =>
    sql
      .begin((transaction) => applyDecision(transaction, request))
      .catch((error: unknown) => {
        // A value that does not fit will not fit next time: the caller is told, instead of waiting for ever.
        throw isDataFault(error) ? refusal({ code: 'INTERNAL_ERROR', details: {} }) : error;
      }),
});

const stateOf = (offer: Offer): ReviewState => ({
  status: offer.status,
  version: offer.version,
  isAwaitingDecision: offer.awaitingSince !== null,
});

const refusal = ({ code, details }: Failure): ApplicationFailure =>
  ApplicationFailure.create({ message: code, type: code, nonRetryable: true, details: [details] });

async function applyDecision(sql: Queryable, request: DecisionRequest): Promise<DecisionOutcome> {
  const command = await lockOperatorCommand(sql, request.commandId);
  if (command === null) throw refusal({ code: 'INTERNAL_ERROR', details: {} });
  const offer = await lockAnyOffer(sql, command.subjectId);
  if (offer === null) throw refusal({ code: 'NOT_FOUND_VENDOR_OFFER', details: {} });
  if (command.appliedAt !== null) {
    const { decision } = v.parse(storedOutcome, command.result);
    return { ...stateOf(offer), decision, operatorId: request.operatorId };
  }
  if (command.isLate) throw refusal({ code: 'GATEWAY_TIMEOUT', details: {} });
  const review: ReviewCommand = v.parse(storedCommand, command.input);
  const variantId = variantIdAfter(offer, review);
  const variant = variantId === null ? null : await findVariant(sql, variantId);
  const reviewed = reviewOffer(offer, review, variant, new Date());
  if (!reviewed.ok) throw refusal(reviewed.failure);
  await store(sql, command, offer, reviewed.value);
  return {
    ...stateOf(reviewed.value.offer),
    decision: reviewed.value.decision,
    operatorId: request.operatorId,
  };
}

async function store(
  sql: Queryable,
  command: OperatorCommand,
  before: Offer,
  reviewed: Reviewed,
): Promise<void> {
  const { offer: after, decision } = reviewed;
  await updateReviewedOffer(sql, before, after, command.operatorId);
  if (decision === 'Approved') await upsertSupplyOption(sql, uuidv7(), after);
  await insertAuditEntry(sql, {
    operatorId: command.operatorId,
    action: `offer.${command.action}`,
    subjectType: 'offer',
    subjectId: after.id,
    requestId: command.requestId,
    before: { status: before.status, version: before.version, variantId: before.variantId },
    after: {
      status: after.status,
      version: after.version,
      variantId: after.variantId,
      reason: after.reviewReason,
    },
  });
  await emitReviewDecision(sql, reviewed);
  await recordOperatorCommandResult(sql, command.id, after.changedAt, { decision, status: after.status });
}

async function emitReviewDecision(sql: Queryable, { offer, decision }: Reviewed): Promise<void> {
  const eventId = `evt_${uuidv7()}`;
  const occurredAt = offer.changedAt;
  const data: ReviewDecisionData = {
    offerId: offer.id,
    vendorExternalId: offer.vendorExternalId,
    vendorSku: offer.vendorSku,
    decision,
    status: offer.status,
    reason: offer.reviewReason,
    reviewedAt: occurredAt.toISOString(),
  };
  const eventType = 'vendor.offer.review-decision';
  const { vendorId } = offer;
  const body = eventBody({
    eventId,
    eventType,
    occurredAt: occurredAt.toISOString(),
    vendorId,
    test: false,
    data,
  });
  await emitEvent(sql, { id: eventId, vendorId, eventType, body, occurredAt });
}
