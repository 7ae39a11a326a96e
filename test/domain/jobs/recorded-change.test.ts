import { expect, test } from 'vitest';
import {
  recordChange,
  revertChange,
  type RecordedChange,
} from '../../../domain/jobs/recorded-change.ts';
import { editOffer, pushPrice, pushStock } from '../../../domain/offers/edit-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { expectValue, offer as built } from '../offers/offer-builders.ts';

const now = new Date('2026-11-20T00:00:00.000Z');
const context = { vatRateBasisPoints: 1500, now };
/** As Postgres keeps it. */
const kept = (change: RecordedChange): RecordedChange =>
  JSON.parse(JSON.stringify(change)) as RecordedChange;
const pushed = (offer: Offer, amountHalalas: number): Offer => {
  const declared = { amountHalalas, isVatInclusive: false };
  return expectValue(pushPrice(offer, { field: 'cost', declared }, context));
};
const withBarcode = (offer: Offer, barcode: string): Offer =>
  expectValue(editOffer(offer, { description: { barcode }, prices: [], stock: null }, context));
/** The revert of what led from one offer to another, where the offer is `present` now. */
const revert = (before: Offer, after: Offer, present = after) =>
  revertChange(present, kept(recordChange(before, after)), now);

const approved = built({ status: 'Approved', everApproved: true });
const refused = (code: string) => ({ ok: false, failure: { code } });
const conflict = refused('CONFLICT_VERSION');

test.each([approved, pushed(approved, 777)])(
  'removes a staged price, or restores the one that was staged before: %#',
  (before) => {
    const after = pushed(before, 999);
    const reverted = expectValue(revert(before, after));
    expect(reverted.cost).toEqual(before.cost);
    expect(reverted.pendingCost).toEqual(before.pendingCost);
    expect(reverted.version).toBe(after.version + 1);
    expect(reverted.awaitingSince === null).toBe(before.pendingCost === null);
  },
);

test('refuses a revert after a later push, decision or switch, not after a change of stock', () => {
  const after = pushed(approved, 999);
  const presents: readonly Offer[] = [
    pushed(after, 998),
    { ...after, cost: after.pendingCost ?? after.cost, pendingCost: null },
    { ...after, status: 'Suspended' },
    { ...after, pricingModel: 'PercentageOfSale' },
  ];
  for (const present of presents) expect(revert(approved, after, present)).toMatchObject(conflict);
  const stock = { declaredInStock: true, declaredStockQuantity: 41 };
  const stocked = expectValue(pushStock(after, stock, now));
  expect(revert(approved, after, stocked)).toMatchObject({ ok: true });
});

test('reverts no price that ended PendingRepricing', () => {
  const repricing = built({ status: 'PendingRepricing', barcode: '4006381333931' });
  const invalidTransition = refused('BUSINESS_OFFER_INVALID_TRANSITION');
  expect(revert(repricing, pushed(repricing, 999))).toMatchObject(invalidTransition);
});

test('restores what changed with a first barcode, which stays', () => {
  const bare = built({ status: 'Draft', barcode: null });
  const coded = withBarcode(bare, '4006381333931');
  const error = { field: 'Barcode', code: 'invalid_barcode' };
  expect(revert(bare, coded)).toMatchObject({
    failure: { code: 'VALIDATION_ERRORS', details: { errors: [error] } },
  });
  const reverted = expectValue(revert(bare, pushed(coded, 999)));
  expect(reverted).toMatchObject({ barcode: '4006381333931', cost: bare.cost });
});

test('treats a barcode with other leading zeros as unchanged', () => {
  const before = built({ status: 'Approved', barcode: '96385074' });
  const changed = withBarcode(before, '4006381333931');
  const away = withBarcode(changed, '96385074');
  const back = withBarcode(away, '04006381333931');
  expect(back.barcode).toBe('04006381333931');
  expect(revert(before, changed, away)).toMatchObject(conflict);
  expect(expectValue(revert(before, changed, back)).barcode).toBe('96385074');
});

test('withdraws a created offer until a judged fact or its status changes', () => {
  const created = built({ status: 'PendingMatch' });
  const change = kept(recordChange(null, created));
  const withdrawn = { ok: true, value: { status: 'Withdrawn' } };
  expect(revertChange(created, change, now)).toMatchObject(withdrawn);
  const edited = { ...created, judgedVersion: created.judgedVersion + 1 };
  expect(revertChange(edited, change, now)).toMatchObject(conflict);
  expect(revertChange({ ...created, status: 'Approved' }, change, now)).toMatchObject(conflict);
});
