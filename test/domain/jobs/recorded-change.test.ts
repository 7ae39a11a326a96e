import { expect, test } from 'vitest';
import {
  recordChange,
  recordCreation,
  revertChange,
  type RecordedChange,
} from '../../../domain/jobs/recorded-change.ts';
import { editOffer, pushPrice, pushStock } from '../../../domain/offers/edit-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offer as built } from '../offers/offer-builders.ts';

const now = new Date('2026-11-20T00:00:00.000Z');
const context = { vatRateBasisPoints: 1500, now };
/** As Postgres keeps it. */
const kept = (change: RecordedChange): RecordedChange =>
  JSON.parse(JSON.stringify(change)) as RecordedChange;
const cost = (amountHalalas: number) =>
  ({ field: 'cost', declared: { amountHalalas, isVatInclusive: false } }) as const;

function after(result: ReturnType<typeof pushPrice>): Offer {
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

const conflict = { ok: false, failure: { code: 'CONFLICT_VERSION' } };

test('a staged price is dropped, or becomes the one that was staged before', () => {
  for (const before of [
    built({ status: 'Approved', everApproved: true }),
    after(pushPrice(built({ status: 'Approved', everApproved: true }), cost(777), context)),
  ]) {
    const pushed = after(pushPrice(before, cost(999), context));
    const reverted = after(revertChange(pushed, kept(recordChange(before, pushed)), now));
    expect(reverted.cost).toEqual(before.cost);
    expect(reverted.pendingCost).toEqual(before.pendingCost);
    expect(reverted.version).toBe(pushed.version + 1);
    expect(reverted.awaitingSince === null).toBe(before.pendingCost === null);
  }
});

test('a later push, a decision and a switch are conflicts, stock is none', () => {
  const before = built({ status: 'Approved', everApproved: true });
  const pushed = after(pushPrice(before, cost(999), context));
  const change = kept(recordChange(before, pushed));
  const again = after(pushPrice(pushed, cost(998), context));
  expect(revertChange(again, change, now)).toMatchObject(conflict);
  const applied: Offer = { ...pushed, cost: pushed.pendingCost ?? pushed.cost, pendingCost: null };
  expect(revertChange(applied, change, now)).toMatchObject(conflict);
  expect(revertChange({ ...pushed, status: 'Suspended' }, change, now)).toMatchObject(conflict);
  const switched: Offer = { ...pushed, pricingModel: 'PercentageOfSale' };
  expect(revertChange(switched, change, now)).toMatchObject(conflict);
  const stock = { declaredInStock: true, declaredStockQuantity: 41 };
  const stocked = after(pushStock(pushed, stock, now));
  expect(revertChange(stocked, change, now)).toMatchObject({ ok: true });
});

test('a price that ended PendingRepricing and a first barcode are not taken back', () => {
  const repricing = built({ status: 'PendingRepricing', barcode: '4006381333931' });
  const repriced = after(pushPrice(repricing, cost(999), context));
  expect(revertChange(repriced, kept(recordChange(repricing, repriced)), now)).toMatchObject({
    ok: false,
    failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION' },
  });
  const bare = built({ status: 'Draft', barcode: null });
  const edit = { description: { barcode: '4006381333931' }, prices: [], stock: null };
  const coded = after(editOffer(bare, edit, context));
  expect(revertChange(coded, kept(recordChange(bare, coded)), now)).toMatchObject({
    ok: false,
    failure: { code: 'VALIDATION_ERRORS' },
  });
});

const withBarcode = (barcode: string) => ({
  description: { barcode },
  prices: [],
  stock: null,
});

test('a barcode that has other leading zeros since is as the item left it', () => {
  const before = built({ status: 'Approved', barcode: '96385074' });
  const changed = after(editOffer(before, withBarcode('4006381333931'), context));
  const away = after(editOffer(changed, withBarcode('96385074'), context));
  const back = after(editOffer(away, withBarcode('04006381333931'), context));
  expect(back.barcode).toBe('04006381333931');
  const change = kept(recordChange(before, changed));
  expect(revertChange(away, change, now)).toMatchObject(conflict);
  expect(after(revertChange(back, change, now)).barcode).toBe('96385074');
});

test('a created offer is withdrawn until a judged fact or its status changes', () => {
  const created = built({ status: 'PendingMatch' });
  const change = kept(recordCreation(created));
  expect(revertChange(created, change, now)).toMatchObject({
    ok: true,
    value: { status: 'Withdrawn' },
  });
  const edited = { ...created, judgedVersion: created.judgedVersion + 1 };
  expect(revertChange(edited, change, now)).toMatchObject(conflict);
  expect(revertChange({ ...created, status: 'Approved' }, change, now)).toMatchObject(conflict);
});
