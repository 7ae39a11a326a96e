import * as fc from 'fast-check';
import { expect } from 'vitest';
import { findOffer } from '../../../db/offers/offers.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import {
  anyCommand,
  anyWorld,
  createWorld,
  offerAt,
  pushSingly,
  runOther,
  storedState,
  type Push,
  type PushKind,
  type World,
} from '../offers/bulk/bulk-model.ts';
import { newVariant, newVendor, type TestVendor } from '../../support/api/actors.ts';
import { call, textOf, unknownId, type Gateway } from '../../support/api/api.ts';
import { runToEnd, type ItemResult } from './job-fixture.ts';

const kindOf: Readonly<Record<PushKind, JobKind>> = {
  stock: 'pushStocks',
  cost: 'pushCosts',
  'sale-price': 'pushSalePrices',
};

type Outcome = {
  readonly status: number;
  readonly state: string;
  readonly version: number | null;
  readonly details: unknown;
};

const outcomeOf = ({ httpStatus: status, state, version, details }: ItemResult): Outcome => ({
  status,
  state,
  version,
  details,
});

/** The outcomes of a job's items. */
const runItems = async (
  gateway: Gateway,
  vendor: TestVendor,
  kind: JobKind,
  items: readonly unknown[],
) => (await runToEnd(gateway, vendor, kind, items)).results.map(outcomeOf);

const pushByJob = (gateway: Gateway, world: World, { kind, items }: Push) =>
  runItems(
    gateway,
    world.vendor,
    kindOf[kind],
    items.map(({ target, byExternalId, fields }) => {
      const offer = offerAt(world, target);
      const name = byExternalId
        ? { vendorExternalId: offer?.externalId ?? 'unknown' }
        : { offerId: offer?.id ?? unknownId() };
      return { ...fields, ...name };
    }),
  );

const withoutHelp = (details: Readonly<Record<string, unknown>>): unknown => {
  const { help: _help, ...rest } = details;
  return rest;
};

test('answers and stores pushes of a job as single ones', async ({ gateway }) => {
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(anyCommand, { minLength: 1, maxLength: 4 }),
    async (offers, commands) => {
      const [single, byJob] = await Promise.all([
        createWorld(gateway, offers),
        createWorld(gateway, offers),
      ]);
      for (const command of commands) {
        if (command.type === 'push')
          expect(await pushByJob(gateway, byJob, command)).toEqual(
            await pushSingly(gateway, single, command),
          );
        else for (const world of [single, byJob]) await runOther(gateway, world, command);
        expect(await storedState(gateway, byJob)).toEqual(await storedState(gateway, single));
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
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

test('answers creates and edits of a job as single ones', async ({ gateway }) => {
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
      const rateBasisPoints = 2000;
      const pricingModel = isModel2 ? 'PercentageOfSale' : 'CostPlusMargin';
      const agreement = { pricingModel, rateBasisPoints } as const;
      const [single, byJob] = [
        await newVendor(gateway, { agreement }),
        await newVendor(gateway, { agreement }),
      ];
      const ids: Record<string, string> = { variant, unknown: unknownId() };
      const creates = given.map(({ variantId, ...body }) => ({
        ...body,
        ...(variantId === undefined ? {} : { variantId: ids[variantId ?? ''] ?? null }),
      }));
      const offers = '/api/v1/scent/offers';
      const created: string[] = [];
      const outcomes: Outcome[] = [];
      for (const body of creates) {
        const answer = await call(gateway, 'POST', offers, { token: single.token, body });
        const { status, state, details, payload } = answer;
        const id = payload === null ? '' : textOf(answer, 'id');
        const found = payload === null ? null : await findOffer(gateway.sql, single.vendorId, id);
        if (found !== null) created.push(id);
        outcomes.push({
          status,
          state,
          details: withoutHelp(details),
          version: found?.version ?? null,
        });
      }
      const { results } = await runToEnd(gateway, byJob, 'createOffers', creates);
      expect(results.map(outcomeOf)).toEqual(outcomes);
      const twins = results.flatMap(({ offerId }) => offerId ?? []);
      expect(twins.length).toBe(created.length);
      // An offer that was found twice is edited once.
      const positions = edits.filter(
        ({ target }) => created.indexOf(created[target] ?? '') === target,
      );
      const edited: Outcome[] = [];
      for (const { target, edit } of positions) {
        const id = created[target] ?? '';
        const answer = await call(gateway, 'PATCH', `${offers}/${id}`, {
          token: single.token,
          body: edit,
        });
        const found = await findOffer(gateway.sql, single.vendorId, id);
        const version = answer.status === 200 ? (found?.version ?? null) : null;
        const { status, state } = answer;
        edited.push({ status, state, details: withoutHelp(answer.details), version });
      }
      if (positions.length > 0)
        expect(
          await runItems(
            gateway,
            byJob,
            'updateOffers',
            positions.map(({ target, edit }) => ({ ...edit, offerId: twins[target] })),
          ),
        ).toEqual(edited);
      for (const { state, status } of [...outcomes, ...edited]) seen.add(`${status} ${state}`);
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
