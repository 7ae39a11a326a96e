import { v7 as uuidv7 } from 'uuid';
import { findAnyOffer } from '../db/offers.ts';
import { insertOperatorCommand } from '../db/operator-commands.ts';
import { findVariant } from '../db/variants.ts';
import { reviewOffer, variantIdAfter, type ReviewCommand } from '../domain/review-offer.ts';
import type { Offer } from '../domain/offer.ts';
import { apiError, valueOf } from './api-error.ts';
import type { OperatorCaller } from './auth/tokens.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * One reviewer's decision: judged by the rules on what the record says now, so that a refusal needs no workflow; noted;
 * and sent as an Update, whose transaction judges it again. Answers the offer as it stands afterwards.
 */
export async function decideOffer(
  { sql, decisions, decisionTimeoutMs }: Dependencies,
  decision: {
    readonly offerId: string;
    readonly command: ReviewCommand;
    readonly operator: OperatorCaller;
    readonly requestId: string;
  },
): Promise<Offer> {
  const { offerId, command, operator, requestId } = decision;
  const offer = await findAnyOffer(sql, offerId);
  if (offer === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
  const variantId = variantIdAfter(offer, command);
  const variant = variantId === null ? null : await findVariant(sql, variantId);
  valueOf(reviewOffer(offer, command, { variant, newSupplyOptionId: uuidv7(), now: new Date() }));

  const { action } = command;
  const commandId = uuidv7();
  await insertOperatorCommand(sql, {
    id: commandId,
    operatorId: operator.id,
    action,
    subjectId: offerId,
    input: command,
    requestId,
    validMs: decisionTimeoutMs,
  });
  const { vendorId } = offer;
  const { operatorId } = operator;
  valueOf(await decisions.decideOffer({ offerId, vendorId }, { action, commandId, operatorId }));
  const decided = await findAnyOffer(sql, offerId);
  if (decided === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
  return decided;
}
