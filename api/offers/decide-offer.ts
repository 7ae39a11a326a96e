import { v7 as uuidv7 } from 'uuid';
import { findAnyOffer } from '../../db/offers/offers.ts';
import { findVariant } from '../../db/offers/variants.ts';
import {
  reviewOffer,
  variantIdAfter,
  type ReviewCommand,
} from '../../domain/offers/review-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { apiError, unwrap } from '../http/api-error.ts';
import type { OperatorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { sendCommand } from '../operator/send-command.ts';

/**
 * One reviewer's decision: judged by the rules on what the record says now, so that a refusal needs no workflow; noted;
 * and sent as an Update, whose transaction judges it again. Answers the offer as it stands afterwards.
 */
export async function decideOffer(
  dependencies: Dependencies,
  decision: {
    readonly offerId: string;
    readonly command: ReviewCommand;
    readonly operator: OperatorCaller;
    readonly requestId: string;
  },
): Promise<Offer> {
  const { sql } = dependencies;
  const { offerId, command, operator, requestId } = decision;
  const offer = await findAnyOffer(sql, offerId);
  if (offer === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
  const variantId = variantIdAfter(offer, command);
  const variant = variantId === null ? null : await findVariant(sql, variantId);
  unwrap(reviewOffer(offer, command, { variant, newSupplyOptionId: uuidv7(), now: new Date() }));

  const { action } = command;
  const { vendorId } = offer;
  await sendCommand(dependencies, { subjectId: offerId, command, operator, requestId }, (by) =>
    dependencies.decisions.decideOffer({ offerId, vendorId }, { action, ...by }),
  );
  const decided = await findAnyOffer(sql, offerId);
  if (decided === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
  return decided;
}
