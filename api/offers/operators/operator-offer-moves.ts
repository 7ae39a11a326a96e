import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Sql } from '../../../db/core/client.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { auditedOffer } from '../../../domain/offers/audited-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import { actingOperatorOf } from '../../auth/authenticate.ts';
import { orNotFound, unwrap } from '../../http/api-error.ts';
import { audit } from '../../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { described } from '../../validation/described.ts';
import { reasonText } from '../offer-texts.ts';
import { filledText } from '../../validation/fields.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';

const notFound = 'NOT_FOUND_VENDOR_OFFER';
const moves = [
  {
    action: 'suspend',
    operationId: 'suspendOffer',
    summary: 'Suspend a live offer',
    description:
      'Takes an `Approved` offer off sale at once. The vendor sees the reason. The vendor can ' +
      'still edit the offer, but no edit changes its status. No event is sent.',
  },
  {
    action: 'reinstate',
    operationId: 'reinstateOffer',
    summary: 'Reinstate a suspended offer',
    description:
      'Ends a suspension: the offer becomes `Approved` and is on sale again. It becomes ' +
      '`PendingReview` if an identity fact was edited during the suspension, and ' +
      '`PendingRepricing` if the pricing model was switched. No event is sent.',
  },
] as const;
type StaffMove = (typeof moves)[number]['action'];

/** Suspends or reinstates an offer, as the operator of the request. */
export const moveOfferByStaff = (
  sql: Sql,
  request: FastifyRequest,
  id: string,
  { action, reason }: { readonly action: StaffMove; readonly reason: string },
): Promise<Offer> =>
  sql.begin(async (transaction) => {
    const found = orNotFound(await lockAnyOffer(transaction, id), notFound);
    const after = unwrap(moveOffer(found.offer, { action, reason }, found.now));
    const change = { found, after, reason, reviewerId: actingOperatorOf(request).id };
    if ((await storeOffers(transaction, [change])) !== 1)
      throw new Error('a locked offer has changed');
    await audit(transaction, request, `offer.${action}`, id, {
      before: auditedOffer(found.offer),
      after: { ...auditedOffer(after), reason },
    });
    return after;
  });

/** Suspend and reinstate (D30): plain transactions, so that they work without Temporal. */
export const operatorOfferMoveRoutes: AddRoutes = (app, { sql, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  for (const { action, ...documentation } of moves) {
    route(
      `POST /operator/v1/offers/:id/${action}`,
      {
        ...documentation,
        body: v.strictObject({ reason: described(filledText(4000), ...reasonText) }),
        payload: operatorOfferResponse,
        notFound,
        refusals: ['BUSINESS_OFFER_INVALID_TRANSITION'],
      },
      async ({ id, body: { reason }, request }) =>
        operatorOffer(await moveOfferByStaff(sql, request, id, { action, reason }), temporalUi),
    );
  }
};
