import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { findLatestAct } from '../../../db/accounts/audit.ts';
import { readDecidedOffer } from '../../../db/accounts/operator-commands.ts';
import { findAnyOfferNow } from '../../../db/offers/offers.ts';
import { findVariant } from '../../../db/offers/variants.ts';
import {
  reviewOffer,
  variantIdAfter,
  type ReviewCommand,
} from '../../../domain/offers/review-offer.ts';
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
