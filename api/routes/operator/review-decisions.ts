import * as v from 'valibot';
import { operatorOf } from '../../auth/authenticate.ts';
import { decideOffer } from '../../decide-offer.ts';
import type { Dependencies } from '../../dependencies.ts';
import { envelope, success } from '../../envelope.ts';
import { filledText, optionalField, uuid, wholeNumber } from '../../fields.ts';
import { operatorOffer, operatorOfferForm } from '../../forms/operator-offer.ts';
import { pathId } from '../../path-id.ts';
import type { Routes } from '../../validation.ts';

const expectedVersion = optionalField(wholeNumber(1, 2_147_483_647));
const approveBody = v.strictObject({ variantId: optionalField(uuid), expectedVersion });
const rejectBody = v.strictObject({ reason: filledText(4000), expectedVersion });
const params = v.object({ id: v.string() });
const answer = envelope(operatorOfferForm);
const tags = ['Operator: offers'];

/** Approve and reject, as Updates on the offer's review. */
export function operatorReviewDecisionRoutes(app: Routes, dependencies: Dependencies): void {
  const config = { role: 'Reviewer' } as const;
  app.post(
    '/operator/v1/offers/:id/approve',
    {
      config,
      schema: { params, body: approveBody, response: { 200: answer }, tags, summary: 'Approve an offer' },
    },
    async (request) => {
      const offer = await decideOffer(dependencies, {
        offerId: pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER'),
        command: { action: 'approve', ...request.body },
        operator: operatorOf(request),
        requestId: request.id,
      });
      return success(operatorOffer(offer, dependencies.temporalUi));
    },
  );
  app.post(
    '/operator/v1/offers/:id/reject',
    {
      config,
      schema: { params, body: rejectBody, response: { 200: answer }, tags, summary: 'Reject an offer' },
    },
    async (request) => {
      const offer = await decideOffer(dependencies, {
        offerId: pathId(request.params.id, 'NOT_FOUND_VENDOR_OFFER'),
        command: { action: 'reject', ...request.body },
        operator: operatorOf(request),
        requestId: request.id,
      });
      return success(operatorOffer(offer, dependencies.temporalUi));
    },
  );
}
