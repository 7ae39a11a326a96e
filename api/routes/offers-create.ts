import { valueOf } from '../api-error.ts';
import { vendorOf } from '../auth/authenticate.ts';
import { createOfferBody, declarationOf } from '../create-offer-body.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../envelope.ts';
import { offerFlat, offerFlatForm } from '../forms/offer-flat.ts';
import { submitOffer } from '../submit-offer.ts';
import type { Routes } from '../validation.ts';

/** `POST /api/v1/scent/offers`: 201 with the new offer, 200 with the one that has the same vendorExternalId (D8). */
export function offersCreateRoute(app: Routes, { sql, vatRateBasisPoints }: Dependencies): void {
  const answer = envelope(offerFlatForm);
  app.post(
    '/api/v1/scent/offers',
    {
      config: { capability: 'Offers', refusals: ['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'] },
      schema: {
        body: createOfferBody,
        response: { 200: answer, 201: answer },
        tags: ['Offers'],
        summary: 'Submit an offer',
      },
    },
    async (request, reply) => {
      const submitted = await submitOffer(sql, {
        vendorId: vendorOf(request).vendorId,
        source: 'Api',
        declaration: declarationOf(request.body),
        vatRateBasisPoints,
      });
      const { offer, isNew } = valueOf(submitted);
      return reply.code(isNew ? 201 : 200).send(success(offerFlat(offer)));
    },
  );
}
