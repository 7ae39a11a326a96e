import { submitOffer } from '../../../commands/offers/submit-offers.ts';
import { auditedOffer } from '../../../domain/offers/audited-offer.ts';
import { unwrap } from '../../http/api-error.ts';
import { audit } from '../../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { createOfferBody, declarationOf } from '../create-offer-body.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';

/** An operator enters an offer for a vendor by the rules of create-offer (source `Manual`). */
export const operatorOfferEntryRoute: AddRoutes = (app, { vatRateBasisPoints, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: offers' });
  route({
    at: 'POST /operator/v1/vendors/:id/offers',
    operationId: 'enterOffer',
    summary: 'Enter an offer for a vendor',
    description:
      'Enters an offer for a vendor, by the rules of create-offer: the offer goes to review. ' +
      'If an operator has already entered an offer with this `vendorExternalId` for the ' +
      'vendor, the call returns that offer unchanged with 200 and `details.existing`. An offer ' +
      "of the vendor's own with the same id is another offer. The source of the new offer is " +
      '`Manual`: the vendor may push its prices and stock but cannot update it.',
    body: createOfferBody,
    payload: operatorOfferResponse,
    statuses: [200, 201],
    notFound: 'NOT_FOUND_VENDOR',
    refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
    handler: async ({ id: vendorId, body, request, reply, sql }) => {
      const declaration = declarationOf(body);
      const { offer, isNew } = await sql.begin(async (transaction) => {
        const wanted = { vendorId, source: 'Manual', vatRateBasisPoints } as const;
        const submitted = unwrap(await submitOffer(transaction, wanted, declaration));
        if (submitted.isNew) {
          const after = auditedOffer(submitted.offer);
          await audit(transaction, request, 'offer.create', submitted.offer.id, {
            before: null,
            after,
          });
        }
        return submitted;
      });
      if (isNew) reply.code(201);
      return operatorOffer(offer, temporalUi);
    },
  });
};
