import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAct, listOperatorActions } from '../../../db/accounts/audit.ts';
import { readDecidedOffer } from '../../../db/accounts/operator-commands.ts';
import { findAnyOfferNow } from '../../../db/offers/offers.ts';
import { findVariant } from '../../../db/offers/variants.ts';
import {
  reviewOffer,
  variantIdAfter,
  type ReviewCommand,
} from '../../../domain/offers/review-offer.ts';
import type { Sql } from '../../../db/core/client.ts';
import { ok, type ErrorCode } from '../../../domain/errors.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { ApiError, orNotFound, unwrap } from '../../http/api-error.ts';
import { sendCommand } from '../../operator/send-command.ts';

/** The codes of decisions that another one may have made impossible. */
const overtaken: readonly ErrorCode[] = [
  'CONFLICT_VERSION',
  'BUSINESS_OFFER_INVALID_TRANSITION',
  'BUSINESS_OFFER_NO_PENDING_PRICE',
  'BUSINESS_OFFER_DECISION_NOT_UNDOABLE',
];

/** A refusal with the latest act of an operator on the offer: who did what, and when (D161). */
async function withLatestAct(sql: Sql, offerId: string, refused: ApiError): Promise<ApiError> {
  const [act] = await listOperatorActions(sql, offerId, 1);
  if (act === undefined) return refused;
  const { operatorId: decidedBy, action: decision, at } = act;
  const details = { ...refused.details, decidedBy, decision, at: at.toISOString() };
  return new ApiError({ code: refused.code, details });
}

/**
 * What a decision gives; its refusal has the latest act of an operator on the offer. Only for
 * answers to operators.
 */
export const withLatestActOf = <T>(sql: Sql, offerId: string, decided: Promise<T>): Promise<T> =>
  decided.catch(async (error: unknown) => {
    throw error instanceof ApiError && overtaken.includes(error.code)
      ? await withLatestAct(sql, offerId, error)
      : error;
  });

/**
 * Checks the decision against the record, so that a refusal needs no workflow, then sends it as an
 * Update, whose transaction checks it again. Returns the offer as that transaction left it.
 */
export async function decideOffer(
  dependencies: Dependencies,
  request: FastifyRequest,
  offerId: string,
  command: ReviewCommand,
): ReturnType<typeof readDecidedOffer> {
  const { sql, decisions, decisionUndoMs } = dependencies;
  const found = await findAnyOfferNow(sql, offerId);
  const { offer, now } = orNotFound(found, 'NOT_FOUND_VENDOR_OFFER');
  const variantId = variantIdAfter(offer, command);
  const variant = variantId === null ? null : await findVariant(sql, variantId, offer.vendorId);
  const latest =
    command.action === 'undo' ? await findLatestAct(sql, offerId, decisionUndoMs) : null;
  unwrap(reviewOffer(offer, command, { variant, newSupplyOptionId: uuidv7(), latest, now }));
  const { vendorId } = offer;
  const { action } = command;
  const subject = {
    kind: 'offerReview',
    subjectId: offerId,
    workflowId: offerReviewId(offerId),
  } as const;
  return sendCommand(dependencies, request, subject, command, async (ids) => {
    const outcome = await decisions.decideOffer({ offerId, vendorId }, { action, ...ids });
    return outcome.ok ? ok(await readDecidedOffer(sql, ids.commandId)) : outcome;
  });
}
