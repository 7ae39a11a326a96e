import * as v from 'valibot';
import { auditedOffer } from '../../domain/offers/audited-offer.ts';
import { unwrap } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { createOfferBody, declarationOf } from './create-offer-body.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { operatorOffer, operatorOfferResponse } from './responses/operator-offer.ts';
import { pathId } from '../validation/path-id.ts';
import { submitOffer } from './submit-offer.ts';
import type { Routes } from '../validation/compiler.ts';

/** `POST /operator/v1/vendors/{id}/offers`: an offer entered by hand for a vendor (source `Manual`), by create-offer's rules. */
export function operatorOfferEntryRoute(
  app: Routes,
  { sql, vatRateBasisPoints, temporalUi }: Dependencies,
): void {
  const answer = envelope(operatorOfferResponse);
  app.post(
    '/operator/v1/vendors/:id/offers',
    {
      config: {
        role: 'Admin',
        refusals: ['NOT_FOUND_VENDOR', 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
      },
      schema: {
        params: v.object({ id: v.string() }),
        body: createOfferBody,
        response: { 200: answer, 201: answer },
        tags: ['Operator: offers'],
        summary: 'Enter an offer for a vendor',
        operationId: 'enterOffer',
        description:
          'Enters an offer by hand for a vendor, by the rules of create-offer: it goes to review, ' +
          'and a `vendorExternalId` that the vendor has already answers that offer unchanged with ' +
          '200. Its source is `Manual`: the vendor may push its prices and stock, but not update ' +
          'it.',
      },
    },
    async (request, reply) => {
      const vendorId = pathId(request.params.id, 'NOT_FOUND_VENDOR');
      const declaration = declarationOf(request.body);
      const { offer, isNew } = await sql.begin(async (transaction) => {
        const submitted = unwrap(
          await submitOffer(transaction, {
            vendorId,
            source: 'Manual',
            declaration,
            vatRateBasisPoints,
          }),
        );
        if (submitted.isNew) {
          await audit(transaction, request, {
            action: 'offer.create',
            subjectType: 'offer',
            subjectId: submitted.offer.id,
            before: null,
            after: auditedOffer(submitted.offer),
          });
        }
        return submitted;
      });
      return reply.code(isNew ? 201 : 200).send(success(operatorOffer(offer, temporalUi)));
    },
  );
}
