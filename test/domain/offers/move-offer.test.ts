import { expect, test } from 'vitest';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import { expectFailure, now, offerIn } from './offer-builders.ts';

// The model in `model/` has the outcome and the written values for each kind of offer.

test('a refusal names the status and the action, or the missing barcode', () => {
  expect(expectFailure(moveOffer(offerIn('Approved'), { action: 'submit' }, now))).toEqual({
    code: 'BUSINESS_OFFER_INVALID_TRANSITION',
    details: { status: 'Approved', action: 'submit' },
  });
  expect(expectFailure(moveOffer(offerIn('Rejected'), { action: 'submit' }, now))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'Barcode', path: '/barcode', code: 'required' }] },
  });
});
