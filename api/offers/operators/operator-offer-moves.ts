import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Sql } from '../../../db/core/client.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { auditedOffer } from '../../../domain/offers/audited-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import { checkReviewVersion } from '../../../domain/offers/review-offer.ts';
import { actingOperatorOf } from '../../auth/authenticate.ts';
import { orNotFound, unwrap } from '../../http/api-error.ts';
import { audit } from '../../operator/audit.ts';
import { latestActOn, withLatestAct } from '../../operator/latest-act.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';
import { expectedVersion, reason } from './review-fields.ts';

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
type StaffMove = {
  readonly action: (typeof moves)[number]['action'];
  readonly reason: string;
  readonly expectedVersion?: number | null;
};

/** Suspends or reinstates an offer, as the operator of the request. */
export const moveOfferByStaff = (
  sql: Sql,
  request: FastifyRequest,
  id: string,
  move: StaffMove,
): Promise<Offer> =>
  sql.begin(async (transaction) => {
    const found = orNotFound(await lockAnyOffer(transaction, id), notFound);
    unwrap(checkReviewVersion(found.offer, { expectedVersion: null, ...move }));
    const after = unwrap(moveOffer(found.offer, move, found.now));
    const change = { found, after, reason: move.reason, reviewerId: actingOperatorOf(request).id };
    if ((await storeOffers(transaction, [change])) !== 1)
      throw new Error('a locked offer has changed');
    await audit(transaction, request, `offer.${move.action}`, id, {
      before: auditedOffer(found.offer),
      after: { ...auditedOffer(after), reason: move.reason },
    });
    return after;
  });

/** Suspend and reinstate: plain transactions, so that they work without Temporal. */
export const operatorOfferMoveRoutes: AddRoutes = (app, { sql, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Reviewer', tag: 'Operator: offers' });
  for (const { action, ...documentation } of moves) {
    route({
      at: `POST /operator/v1/offers/:id/${action}`,
      ...documentation,
      body: v.strictObject({ reason, expectedVersion }),
      payload: operatorOfferResponse,
      notFound,
      refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
      handler: async ({ id, body, request }) => {
        const moved = moveOfferByStaff(sql, request, id, { action, ...body });
        const offer = await withLatestAct(moved, () => latestActOn(sql, id));
        return operatorOffer(offer, temporalUi);
      },
    });
  }
};
