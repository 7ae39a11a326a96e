import type { FastifyRequest } from 'fastify';
import { reviewFound } from '../../../commands/offers/decide-offers.ts';
import { readDecidedOffer } from '../../../db/accounts/operator-commands.ts';
import { findAnyOfferNow } from '../../../db/offers/offers.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { ok } from '../../../domain/errors.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { orNotFound, unwrap } from '../../http/api-error.ts';
import { sendCommand } from '../../operator/send-command.ts';

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
  const found = orNotFound(await findAnyOfferNow(sql, offerId), 'NOT_FOUND_VENDOR_OFFER');
  unwrap(await reviewFound(sql, found, command, decisionUndoMs));
  const { vendorId } = found.offer;
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
