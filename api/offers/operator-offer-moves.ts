import * as v from 'valibot';
import { lockAnyOffer } from '../../db/offers/offers.ts';
import { storeOffers } from '../../db/offers/store-offers.ts';
import { auditedOffer } from '../../domain/offers/audited-offer.ts';
import { moveOffer } from '../../domain/offers/move-offer.ts';
import { apiError, unwrap } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { operatorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { reasonText } from './offer-texts.ts';
import { operatorOffer, operatorOfferResponse } from './responses/operator-offer.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const moves = [
  {
    action: 'suspend',
    summary: 'Suspend a live offer: it stops selling at once',
    operationId: 'suspendOffer',
    description:
      'Takes an `Approved` offer off sale at once. The vendor reads the reason; its edits are ' +
      'stored meanwhile and move no status. No event is sent.',
  },
  {
    action: 'reinstate',
    summary: 'Reinstate a suspended offer',
    operationId: 'reinstateOffer',
    description:
      'Ends a suspension: back to `Approved` and on sale; to `PendingReview` when an identity ' +
      'fact was edited meanwhile, to `PendingRepricing` when the pricing model was switched. No ' +
      'event is sent.',
  },
] as const;

/** Suspend and reinstate (D30): plain transactions, so that an offer can be stopped while Temporal is away. */
export function operatorOfferMoveRoutes(app: Routes, { sql, temporalUi }: Dependencies): void {
  for (const { action, ...words } of moves) {
    app.post(
      `/operator/v1/offers/:id/${action}`,
      {
        config: {
          role: 'Reviewer',
          refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_OFFER_INVALID_TRANSITION'],
        },
        schema: {
          params: v.object({ id: v.string() }),
          body: v.strictObject({ reason: described(filledText(4000), ...reasonText) }),
          response: { 200: envelope(operatorOfferResponse) },
          tags: ['Operator: offers'],
          ...words,
        },
      },
      async (request) => {
        const id = pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER');
        const { reason } = request.body;
        const offer = await sql.begin(async (transaction) => {
          const found = await lockAnyOffer(transaction, id);
          if (found === null) throw apiError('NOT_FOUND_VENDOR_OFFER');
          const after = unwrap(moveOffer(found.offer, { action, reason }, new Date()));
          const change = { found, after, reason, reviewerId: operatorOf(request).id };
          if ((await storeOffers(transaction, [change])) !== 1) {
            throw new Error('an offer that is locked has changed');
          }
          await audit(transaction, request, {
            action: `offer.${action}`,
            subjectType: 'offer',
            subjectId: id,
            before: auditedOffer(found.offer),
            after: { ...auditedOffer(after), reason },
          });
          return after;
        });
        return success(operatorOffer(offer, temporalUi));
      },
    );
  }
}
