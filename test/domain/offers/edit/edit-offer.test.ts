import { describe, expect, test } from 'vitest';
import { type OfferEdit } from '../../../../domain/offers/edit-offer.ts';
import type { FieldError } from '../../../../domain/errors.ts';
import {
  offerStatuses,
  type Offer,
  type OfferDescription,
} from '../../../../domain/offers/offer.ts';
import {
  changedTo,
  expectFailure,
  offerIn,
  offerOnceApproved,
  statusesNeverApproved,
  statusesOnceApproved,
} from '../offer-builders.ts';
import {
  barcode,
  otherBarcode,
  staged,
  cost,
  newCost,
  sentToReview,
  newDetail,
  edit,
  edited,
  full,
  other,
  exceptIn,
} from './edit-offer-fixture.ts';

const failedFields = (
  given: Offer,
  wanted: Partial<OfferEdit>,
): { field: string; path: string; code: string }[] => {
  const { code, details } = expectFailure(edit(given, wanted));
  expect(code).toBe('VALIDATION_ERRORS');
  return (details['errors'] as FieldError[]).map(({ field, path, code }) => ({
    field,
    path,
    code,
  }));
};
const sameBarcodes = ['96385074', '000096385074', '0000096385074', '00000096385074'];
const barcodeIsRequired = [{ field: 'Barcode', path: '/barcode', code: 'required' }];
const fields = Object.keys(full) as (keyof OfferDescription)[];
const productDetails = fields.filter((field) => field !== 'barcode');
const texts = productDetails.filter((field) => field !== 'rawSizeMl');
const names = ['rawBrandName', 'rawProductName'] as const;
const statusesUnmatched = ['Draft', 'PendingMatch', 'Rejected', 'Withdrawn'] as const;

describe('no edit', () => {
  test.each(offerStatuses)('an empty edit of a %s offer answers the very same offer', (status) => {
    for (const given of [offerIn(status), offerIn(status, { barcode })]) {
      expect(edited(given, {})).toBe(given);
    }
  });

  test.each(offerStatuses)(
    'stored values sent again to a %s offer answer the very same offer',
    (status) => {
      const given = offerIn(status, { ...full });
      expect(edited(given, { description: full })).toBe(given);
      for (const field of fields)
        expect(edited(given, { description: { [field]: full[field] } })).toBe(given);
    },
  );

  test.each(offerStatuses)('stored values ask no barcode of a %s offer that has none', (status) => {
    const given = offerIn(status);
    const { rawBrandName, rawProductName, vendorExternalId } = given;
    expect(edited(given, { description: { rawBrandName, rawProductName, vendorExternalId } })).toBe(
      given,
    );
    const stock = { declaredInStock: true, declaredStockQuantity: 5 };
    expect(edited(given, { stock })).toBe(given);
  });

  test('clearing what is empty already is no edit', () => {
    const given = offerIn('Rejected');
    expect(edited(given, { description: { vendorSku: null, rawDescription: null } })).toBe(given);
  });
});

describe('a partial update', () => {
  test.each(fields)('stores %s, counts one version, and keeps every other field', (field) => {
    const given = offerIn('Draft', { ...full });
    expect(edited(given, { description: { [field]: other[field] } })).toEqual(
      changedTo(given, { [field]: other[field] }),
    );
  });

  test('stores several fields at once as one version', () => {
    const given = offerIn('PendingReview', { ...full });
    expect(edited(given, { description: other })).toEqual(changedTo(given, other));
  });

  test.each(texts)('clears %s of a matched offer', (field) => {
    const given = offerIn('PendingReview', { ...full });
    expect(edited(given, { description: { [field]: null } })).toEqual(
      changedTo(given, { [field]: null }),
    );
  });

  test.each(statusesUnmatched)(
    'refuses to clear a name of a %s offer without a match',
    (status) => {
      const given = offerIn(status, { ...full, variantId: null });
      const failed = {
        rawBrandName: { field: 'RawBrandName', path: '/rawBrandName', code: 'required' },
        rawProductName: { field: 'RawProductName', path: '/rawProductName', code: 'required' },
      };
      for (const name of names) {
        expect(failedFields(given, { description: { [name]: null } })).toEqual([failed[name]]);
      }
      const both = { rawBrandName: null, rawProductName: null };
      expect(failedFields(given, { description: both, ...newCost })).toEqual(Object.values(failed));
    },
  );

  test('names what may not be blank and the missing barcode of the other details together', () => {
    const given = offerIn('PendingMatch', { ...full, variantId: null, barcode: null });
    const fieldsOf = (description: OfferEdit['description']) =>
      failedFields(given, { description }).map(({ field }) => field);
    expect(fieldsOf({ rawBrandName: null })).toEqual(['RawBrandName']);
    expect(fieldsOf({ rawBrandName: null, vendorSku: 'another' })).toEqual([
      'RawBrandName',
      'Barcode',
    ]);
  });

  test('clears the other product details of an offer without a match', () => {
    const given = offerIn('PendingMatch', { ...full });
    const cleared = {
      vendorSku: null,
      vendorExternalId: null,
      rawConcentration: null,
      rawDescription: null,
    };
    expect(edited(given, { description: cleared })).toEqual(changedTo(given, cleared));
  });

  test.each(offerStatuses)('never touches the match of a %s offer', (status) => {
    const given = offerIn(status, { barcode });
    expect(edited(given, { description: other, ...newCost }).variantId).toBe(given.variantId);
  });
});

describe('an identity change', () => {
  test.each(productDetails)('of %s sends a live offer to review, and it still sells', (field) => {
    const given = offerIn('Approved', { ...full });
    expect(edited(given, { description: { [field]: other[field] } })).toEqual(
      changedTo(given, { [field]: other[field], ...sentToReview }),
    );
  });

  test.each(texts)('is also that %s of a live offer is cleared', (field) => {
    const given = offerIn('Approved', { ...full });
    expect(edited(given, { description: { [field]: null } }).status).toBe('PendingReview');
  });

  test.each(offerStatuses)(
    // D143.
    'is not that the stored barcode of a %s offer comes with other leading zeros',
    (status) => {
      for (const stored of sameBarcodes) {
        const given = offerIn(status, { ...full, barcode: stored });
        for (const sent of sameBarcodes) {
          expect(edited(given, { description: { barcode: sent } })).toBe(given);
          const changed = edited(given, {
            description: { barcode: sent, ...newDetail.description },
          });
          expect(changed).toEqual(edited(given, newDetail));
        }
      }
    },
  );

  test('is not that a first barcode is added', () => {
    const given = offerIn('Approved');
    expect(edited(given, { description: { barcode } })).toEqual(changedTo(given, { barcode }));
  });

  test('is that a barcode is replaced by another', () => {
    const given = offerIn('Approved', { barcode });
    expect(edited(given, { description: { barcode: otherBarcode } })).toEqual(
      changedTo(given, { barcode: otherBarcode, ...sentToReview }),
    );
  });

  test('is that a detail comes along with the first barcode', () => {
    const given = offerIn('Approved');
    const description = { barcode, ...newDetail.description };
    expect(edited(given, { description })).toEqual(
      changedTo(given, { ...description, ...sentToReview }),
    );
  });

  test.each(exceptIn('Approved', 'Rejected'))('moves no %s offer', (status) => {
    const given = offerIn(status, { ...full });
    expect(edited(given, { description: other })).toEqual(
      changedTo(given, { ...other, identityChanged: given.everApproved }),
    );
  });

  test.each(statusesOnceApproved)(
    'of a %s offer once approved is remembered until the next approval',
    (status) => {
      const given = offerOnceApproved(status, { ...full });
      for (const field of fields) {
        expect(edited(given, { description: { [field]: other[field] } }).identityChanged).toBe(
          true,
        );
      }
      const first = edited({ ...given, barcode: null }, { description: { barcode } });
      expect(first.identityChanged).toBe(false);
      expect(edited(given, newCost).identityChanged).toBe(false);
      expect(edited({ ...given, identityChanged: true }, newCost).identityChanged).toBe(true);
    },
  );

  test.each(statusesNeverApproved)(
    'of a %s offer never approved is no change of what was approved',
    (status) => {
      const given = offerIn(status, { ...full });
      expect(edited(given, { description: other }).identityChanged).toBe(false);
    },
  );

  test('with a price sends a live offer to review, the price staged; the live one stays', () => {
    const given = offerIn('Approved', { barcode });
    expect(edited(given, { ...newDetail, ...newCost })).toEqual(
      changedTo(given, {
        vendorSku: 'V-2',
        pendingCost: staged,
        ...sentToReview,
      }),
    );
  });
});

describe('the barcode rule', () => {
  test.each(offerStatuses)(
    'refuses each product detail of a %s offer without a barcode',
    (status) => {
      for (const field of productDetails) {
        const description = { [field]: other[field] };
        expect(failedFields(offerIn(status), { description })).toEqual(barcodeIsRequired);
        expect(failedFields(offerIn(status), { description, ...newCost })).toEqual(
          barcodeIsRequired,
        );
      }
    },
  );

  test.each(exceptIn('Rejected', 'PendingRepricing'))(
    'lets the price of a %s offer without a barcode change',
    (status) => {
      const { cost, pendingCost } = edited(offerIn(status), newCost);
      expect([cost, pendingCost]).toContainEqual(staged);
    },
  );

  test.each(['Rejected', 'PendingRepricing'] as const)(
    'refuses to resubmit a %s offer without a barcode by its price',
    (status) => {
      for (const given of [offerIn(status), offerOnceApproved(status)]) {
        expect(failedFields(given, newCost)).toEqual(barcodeIsRequired);
      }
    },
  );

  test('refuses to resubmit by the unchanged price too', () => {
    const unchanged = { prices: [cost(10_000)] };
    expect(failedFields(offerIn('PendingRepricing'), unchanged)).toEqual(barcodeIsRequired);
  });

  test('asks stock in the older form for a barcode only where the offer is Rejected', () => {
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    for (const status of offerStatuses) {
      const given = offerIn(status);
      if (status === 'Rejected') expect(failedFields(given, { stock })).toEqual(barcodeIsRequired);
      else expect(edited(given, { stock })).toEqual(changedTo(given, stock));
    }
  });

  test.each(offerStatuses)('is met by a barcode in the same edit of a %s offer', (status) => {
    const description = { ...other, barcode };
    const after = edited(offerIn(status), { description, ...newCost });
    expect(after).toMatchObject(description);
  });
});
