import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { businessNow } from '../../db/core/clock.ts';
import { createOfferReader } from '../../db/offers/offer-facts.ts';
import { findOffer } from '../../db/offers/offers.ts';
import { reviewVersionOf, type Offer, type Variant } from '../../domain/offers/offer.ts';
import { reviewOffer, type ReviewCommand } from '../../domain/offers/review-offer.ts';
import type { VendorCaller } from '../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { decideOffer } from '../offers/operators/decide-offer.ts';
import { moveOfferByStaff } from '../offers/operators/operator-offer-moves.ts';
import { addVariant } from '../offers/operators/operator-variants.ts';
import { reason } from '../offers/operators/review-fields.ts';
import { readOffer, readOfferResponse } from '../offers/responses/read-offer.ts';
import { described } from '../validation/described.ts';
import { optionalField, uuid } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';

const responses = { payload: readOfferResponse, notFound: 'NOT_FOUND_VENDOR_OFFER' } as const;

/** The facts of a call that a command needs. */
type Call = {
  readonly caller: VendorCaller;
  readonly id: string;
  readonly request: FastifyRequest;
};

/**
 * The variant of an offer without a match, which only its vendor finds. A repeated call finds the
 * one of the first.
 */
const variantFor = (offer: Offer): Variant => ({
  id: offer.id,
  sku: `SANDBOX-${offer.id}`,
  brandName: offer.rawBrandName ?? 'Sandbox',
  productName: offer.rawProductName ?? 'Product',
  concentration: offer.rawConcentration,
  sizeMl: offer.rawSizeMl,
  barcode: offer.barcode,
  isActive: true,
});

/** Reviewers' commands on the vendor's own offers. */
export const sandboxOfferRoutes: AddRoutes = (app, dependencies) => {
  const { sql } = dependencies;
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  const readOwnOffer = createOfferReader(sql);
  /** Runs a command on one of the vendor's own offers; returns the offer after it. */
  const change = async (
    { caller: { vendorId }, id }: Call,
    run: (offer: Offer) => Promise<unknown>,
  ) => {
    await run(orNotFound(await findOffer(sql, vendorId, id), responses.notFound));
    return readOffer(orNotFound(await readOwnOffer(vendorId, id), responses.notFound), null);
  };
  const decide = (call: Call, commandOf: (expectedVersion: number) => ReviewCommand) =>
    change(call, (offer) =>
      decideOffer(dependencies, call.request, offer.id, commandOf(reviewVersionOf(offer))),
    );
  const move = (call: Call, wanted: Parameters<typeof moveOfferByStaff>[3]) =>
    change(call, ({ id }) => moveOfferByStaff(sql, call.request, id, wanted));

  async function approve(request: FastifyRequest, offer: Offer, given: string | null) {
    const expectedVersion = reviewVersionOf(offer);
    const needsVariant = given === null && offer.variantId === null;
    const variantId = needsVariant ? offer.id : given;
    const command = { action: 'approve', variantId, expectedVersion } as const;
    if (needsVariant) {
      const variant = variantFor(offer);
      // A refused approval adds no variant.
      unwrap(
        reviewOffer(offer, command, {
          variant,
          newSupplyOptionId: uuidv7(),
          now: await businessNow(sql, offer.vendorId),
        }),
      );
      await addVariant(sql, request, variant, offer.vendorId);
    }
    await decideOffer(dependencies, request, offer.id, command);
  }

  route({
    at: 'POST /api/v1/sandbox/offers/:id/approve',
    operationId: 'sandboxApproveOffer',
    summary: 'Approve an offer, as a reviewer',
    description:
      'Approves an offer in review: it goes on sale, and a staged price becomes live. Without ' +
      '`variantId`, an offer without a match is matched to a new variant with its data. The ' +
      'offer needs a price above 0 of your agreement. You get `vendor.offer.review-decision`.',
    body: v.strictObject({
      variantId: described(
        optionalField(uuid),
        'The active variant to match the offer to. Without it, the match of the offer stays.',
        sample.variantId,
      ),
    }),
    ...responses,
    refusals: [
      'CONFLICT_VERSION',
      'BUSINESS_OFFER_PRICE_REQUIRED',
      'BUSINESS_OFFER_INVALID_TRANSITION',
    ],
    handler: (call) => change(call, (offer) => approve(call.request, offer, call.body.variantId)),
  });
  route({
    at: 'POST /api/v1/sandbox/offers/:id/reject',
    operationId: 'sandboxRejectOffer',
    summary: 'Reject an offer, as a reviewer',
    description:
      'Rejects an offer in `Draft`, `PendingMatch` or `PendingReview`, with a reason that you ' +
      'see. You get `vendor.offer.review-decision`.',
    body: v.strictObject({ reason }),
    ...responses,
    refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_INVALID_TRANSITION'],
    handler: (call) =>
      decide(call, (expectedVersion) => ({ action: 'reject', ...call.body, expectedVersion })),
  });
  for (const [action, path, operationId, summary] of [
    ['applyPrice', 'apply', 'sandboxApplyPendingPrice', 'Make the staged price live'],
    ['discardPrice', 'discard', 'sandboxDiscardPendingPrice', 'Discard the staged price'],
  ] as const)
    route({
      at: `POST /api/v1/sandbox/offers/:id/pending-price/${path}`,
      operationId,
      summary: `${summary}, as a reviewer`,
      description:
        'Decides on the staged price. The status of the offer does not change. The call takes ' +
        'no body. You get `vendor.offer.review-decision`.',
      ...responses,
      refusals: ['CONFLICT_VERSION', 'BUSINESS_OFFER_NO_PENDING_PRICE'],
      handler: (call) =>
        decide(call, (expectedVersion) => ({ action, reason: null, expectedVersion })),
    });
  route({
    at: 'POST /api/v1/sandbox/offers/:id/suspend',
    operationId: 'sandboxSuspendOffer',
    summary: 'Suspend an offer, as a reviewer',
    description:
      'Takes an `Approved` offer off sale at once, with a reason that you see. No event is sent.',
    body: v.strictObject({ reason }),
    ...responses,
    refusals: ['BUSINESS_OFFER_INVALID_TRANSITION'],
    handler: (call) => move(call, { action: 'suspend', ...call.body }),
  });
  route({
    at: 'POST /api/v1/sandbox/offers/:id/reinstate',
    operationId: 'sandboxReinstateOffer',
    summary: 'Reinstate an offer, as a reviewer',
    description:
      'Ends a suspension: the offer becomes `Approved`, `PendingReview` if an identity fact was ' +
      'edited meanwhile, or `PendingRepricing` if the pricing model was switched. The call ' +
      'takes no body. No event is sent.',
    ...responses,
    refusals: ['BUSINESS_OFFER_INVALID_TRANSITION'],
    handler: (call) => move(call, { action: 'reinstate', reason: 'Reinstated in the sandbox' }),
  });
};
