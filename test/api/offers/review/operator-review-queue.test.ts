import { expect } from 'vitest';
import { newVariant, newVendor } from '../../../support/api/actors.ts';
import { call, itemsOf, type Gateway } from '../../../support/api/api.ts';
import { newNestedOffer } from '../nested-offer.ts';
import { reviewTest as test, submit } from './review-fixture.ts';
import { runsUrlOf } from '../../../support/api/matchers.ts';

const setAwaitingSince = (gateway: Gateway, id: string, at: string | null) =>
  gateway.sql`update offers set awaiting_since = ${at} where id = ${id}`;

test('the longest wait comes first, then offers without a wait, newest first', async ({
  gateway,
  vendor,
  idsBy,
}) => {
  const draft = await submit(gateway, vendor, { saveAsDraft: true });
  const [late, early, middle] = [
    await submit(gateway, vendor),
    await submit(gateway, vendor),
    await submit(gateway, vendor),
  ];
  const laterDraft = await submit(gateway, vendor, { saveAsDraft: true });
  await setAwaitingSince(gateway, early, '2026-01-01T00:00:00Z');
  await setAwaitingSince(gateway, middle, '2026-01-02T00:00:00Z');
  expect(await idsBy({})).toEqual([early, middle, late, laterDraft, draft]);
  for (const [filters, ids] of [
    [{ awaitingDecision: 'true' }, [early, middle, late]],
    [{ awaitingDecision: 'false' }, [laterDraft, draft]],
    [{ awaitingDecision: 'true', pageSize: '1', page: '2' }, [middle]],
  ] as const)
    expect(await idsBy(filters)).toEqual(ids);
});

test('the filters narrow together: status, vendor, waiting', async ({
  gateway,
  vendor,
  readQueue,
  idsBy,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const matched = await submit(gateway, vendor, { variantId });
  const unmatched = await submit(gateway, vendor);
  const other = await submit(gateway, await newVendor(gateway));
  const vendorId = vendor.vendorId.toUpperCase();
  for (const [filters, ids] of [
    [{ vendorId, status: 'PendingReview' }, [matched]],
    [{ status: 'PendingMatch', awaitingDecision: 'true' }, [unmatched]],
    [{ status: 'Approved' }, []],
  ] as const)
    expect(await idsBy(filters)).toEqual(ids);
  const all = itemsOf(await readQueue('status=PendingMatch&pageSize=100')).map(({ id }) => id);
  expect(all).toEqual(expect.arrayContaining([unmatched, other]));
  expect((await readQueue(`vendorId=${vendorId}&pageSize=1`)).payload).toMatchObject({
    pagination: { page: 1, pageSize: 1, totalCount: 2, totalPages: 2 },
  });
});

test('an offer is read in the nested form, with its review fields and its workflow', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const id = await submit(gateway, vendor, {
    vendorExternalId: 'k',
    declaredStockQuantity: 2,
    costIsVatInclusive: true,
  });
  const url = `/operator/v1/offers/${id.toUpperCase()}`;
  const answer = await call(gateway, 'GET', url, reviewer);
  const plain = newNestedOffer(id);
  expect(answer.payload).toStrictEqual({
    ...plain,
    vendorExternalId: 'k',
    cost: { ...plain.cost, amount: 86.96, enteredVatInclusive: true, inputVat: 13.04 },
    stock: { declaredQuantity: 2, declaredInStock: true },
    vendorId: vendor.vendorId,
    source: 'Api',
    version: 1,
    reviewVersion: 1,
    awaitingDecision: true,
    awaitingSince: expect.stringMatching(/Z$/),
    supplyOptionId: null,
    supply: null,
    kind: 'Match',
    flags: ['NoBarcode'],
    vendor: expect.objectContaining({ id: vendor.vendorId, isActive: true }),
    variant: null,
    pricing: { live: expect.objectContaining({ amount: 100 }), staged: null, changePercent: null },
    otherOffers: [],
    approvedBefore: null,
    history: { decisions: [], statusChanges: [expect.objectContaining({ to: 'PendingMatch' })] },
    viewers: [],
    createdAt: expect.stringMatching(/Z$/),
    changedAt: expect.stringMatching(/Z$/),
    workflow: {
      workflowId: `offer-review/${id}`,
      url: `http://temporal-ui.test/namespaces/default/workflows/offer-review%2F${id}`,
      runsUrl: runsUrlOf(`offer-review/${id}`),
    },
  });
});
