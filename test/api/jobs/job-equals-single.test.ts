import * as fc from 'fast-check';
import { expect } from 'vitest';
import { findOffer } from '../../../db/offers/offers.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { anyCommand, expectLikeSingle, itemsOf, type PushKind } from '../offers/bulk/bulk-model.ts';
import {
  costPlus,
  newVariant,
  newVendor,
  percentageOfSale,
  type TestVendor,
} from '../../support/api/actors.ts';
import type { BulkResult } from '../offers/bulk/bulk-fixture.ts';
import { call, textOf, unknownId, type Gateway } from '../../support/api/api.ts';
import { runToEnd } from './job-fixture.ts';

const kindOf: Readonly<Record<PushKind, JobKind>> = {
  stock: 'pushStocks',
  cost: 'pushCosts',
  'sale-price': 'pushSalePrices',
};

const outcomeOf = ({ httpStatus: status, state, version, details }: BulkResult) => ({
  status,
  state,
  version,
  details,
});
type Outcome = ReturnType<typeof outcomeOf>;

/** The outcomes of a job's items, and their offers. */
async function runItems(...given: Parameters<typeof runToEnd>) {
  const { results } = await runToEnd(...given);
  const ids = results.flatMap(({ offerId }) => offerId ?? []);
  return { outcomes: results.map(outcomeOf), ids };
}

/** The outcome of a single create or edit, and its offer. */
async function sendSingly(
  gateway: Gateway,
  { token, vendorId }: TestVendor,
  body: unknown,
  id?: string,
) {
  const offers = '/api/v1/scent/offers';
  const response =
    id === undefined
      ? await call(gateway, 'POST', offers, { token, body })
      : await call(gateway, 'PATCH', `${offers}/${id}`, { token, body });
  const { status, state, payload } = response;
  const { help: _help, ...details } = response.details;
  const offerId = payload === null ? null : textOf(response, 'id');
  const found = offerId === null ? null : await findOffer(gateway.sql, vendorId, offerId);
  const outcome: Outcome = { status, state, details, version: found?.version ?? null };
  return { outcome, offerId };
}

test('returns and stores for pushes of a job what single pushes do', async ({ gateway }) => {
  const commands = fc.array(anyCommand, { minLength: 1, maxLength: 4 });
  await expectLikeSingle(gateway, commands, 25, async (world, { kind, items }) => {
    const given = itemsOf(world, items);
    return (await runItems(gateway, world.vendor, kindOf[kind], given)).outcomes;
  });
}, 300_000);

const anyName = fc.constantFrom('one', 'two', 'three', null);
const anyText = fc.constantFrom('x', ' ', null, 'y'.repeat(300), 7);
const anyCreate = fc.record(
  {
    vendorExternalId: anyName,
    rawBrandName: fc.constantFrom('B', 'B', ' ', undefined),
    rawProductName: fc.constant('P'),
    barcode: fc.constantFrom('4006381333931', null, '1'),
    cost: fc.constantFrom(10, 10, 0, -1),
    costIsVatInclusive: fc.boolean(),
    salePrice: fc.constantFrom(null, null, null, 12),
    salePriceIsVatInclusive: fc.constant(true),
    variantId: fc.constantFrom('variant', 'unknown', null),
    saveAsDraft: fc.boolean(),
  },
  { requiredKeys: ['cost', 'costIsVatInclusive', 'rawProductName'] },
);
const anyEdit = fc.record(
  {
    vendorExternalId: fc.constantFrom('one', 'two', 'three', 'four', ' '),
    vendorSku: anyText,
    rawBrandName: anyText,
    barcode: fc.constantFrom('4006381333931', null, '1'),
    cost: fc.constantFrom(10, 11, 0, -1),
    costIsVatInclusive: fc.boolean(),
    salePrice: fc.constant(12),
    salePriceIsVatInclusive: fc.boolean(),
    declaredInStock: fc.constantFrom(true, false, null),
    declaredStockQuantity: fc.constantFrom(5, 0, null),
  },
  { requiredKeys: [] },
);

const valid = {
  cost: 10,
  costIsVatInclusive: false,
  rawBrandName: 'B',
  rawProductName: 'P',
} as const;
/** Creates with each outcome that the test must see. */
const everyOutcome: (typeof anyCreate extends fc.Arbitrary<infer TCreate> ? TCreate : never)[] = [
  { ...valid, vendorExternalId: 'one' },
  { ...valid, vendorExternalId: 'one' },
  { ...valid, cost: -1 },
  { ...valid, salePrice: 12, salePriceIsVatInclusive: true },
];

test('returns for creates and edits of a job what single calls do', async ({ gateway }) => {
  const seen = new Set<string>();
  const { id: variant } = await newVariant(gateway, { barcode: null });
  const property = fc.asyncProperty(
    fc.array(anyCreate, { minLength: 1, maxLength: 8 }),
    fc.uniqueArray(fc.record({ target: fc.integer({ min: 0, max: 8 }), edit: anyEdit }), {
      selector: ({ target }) => target,
      minLength: 1,
    }),
    fc.boolean(),
    async (given, edits, isModel2) => {
      const agreement = isModel2 ? percentageOfSale : costPlus;
      const single = await newVendor(gateway, { agreement });
      const byJob = await newVendor(gateway, { agreement });
      const ids: Record<string, string> = { variant, unknown: unknownId() };
      const creates = given.map(({ variantId, ...body }) => ({
        ...body,
        ...(variantId === undefined ? {} : { variantId: ids[variantId ?? ''] ?? null }),
      }));
      const created = [];
      for (const body of creates) created.push(await sendSingly(gateway, single, body));
      const twins = await runItems(gateway, byJob, 'createOffers', creates);
      expect(twins.outcomes).toEqual(created.map(({ outcome }) => outcome));
      const offerIds = created.flatMap(({ offerId }) => offerId ?? []);
      expect(twins.ids.length).toBe(offerIds.length);
      // An offer that was found twice is edited once.
      const targets = edits.filter(
        ({ target }) => offerIds.indexOf(offerIds[target] ?? '') === target,
      );
      const edited = [];
      for (const { target, edit } of targets)
        edited.push((await sendSingly(gateway, single, edit, offerIds[target])).outcome);
      if (targets.length > 0) {
        const items = targets.map(({ target, edit }) => ({ ...edit, offerId: twins.ids[target] }));
        expect((await runItems(gateway, byJob, 'updateOffers', items)).outcomes).toEqual(edited);
      }
      for (const { state, status } of [...twins.outcomes, ...edited])
        seen.add(`${status} ${state}`);
    },
  );
  await fc.assert(property, {
    numRuns: 60,
    examples: [[everyOutcome, [{ target: 0, edit: {} }], false]],
  });
  expect([...seen].toSorted()).toEqual([
    '200 SUCCESS',
    '201 SUCCESS',
    '400 VALIDATION_ERRORS',
    '422 BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
  ]);
}, 300_000);
