import * as fc from 'fast-check';
import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { call, unknownId, type ApiResponse, type Gateway } from '../../support/api/api.ts';
import { anyWorld, createWorld, runOther, type World } from '../offers/bulk/bulk-model.ts';
import { checksums } from '../../support/database/all-rows.ts';

/** Mostly well-formed values. */
const mostly = (valid: readonly unknown[], wrong: readonly unknown[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
const optional = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields, { requiredKeys: [] });
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const none = fc.constant({});
const sometimes = (part: fc.Arbitrary<object>) => fc.oneof(none, part);
const seldom = (part: fc.Arbitrary<object>) => fc.oneof({ weight: 4, arbitrary: none }, part);

const amount = mostly([100, 115, 120, 138, 77.77, 0.03], [0, -1, 1.001, 'x']);
const flag = fc.boolean();
const text = mostly(['A', ' ', 'B', null], [7]);
const barcode = mostly(['4006381333931', '96385074', null], ['123']);
const price = fc.record({ cost: amount, costIsVatInclusive: mostly([true, false], [null]) });
const salePrice = fc.record({ salePrice: amount, salePriceIsVatInclusive: flag });
const declaredStockQuantity = mostly([1, 7, null], [0, -1]);
const stock = optional({ declaredInStock: fc.constant(true), declaredStockQuantity });
const vendorExternalId = fc.constantFrom('external-0', 'external-1', 'external-new', null);
const texts = { vendorSku: text, rawBrandName: text, rawProductName: text };
const details = optional({ vendorExternalId, barcode, ...texts });

/** The offers of a world by their positions; beyond them is no offer of the vendor. */
const target = fc.integer({ min: 0, max: 12 }).map((position) => `{${position}}`);
const offerId = target;
const named = fc.oneof(fc.record({ offerId }), fc.record({ vendorExternalId }));
const items = fc.array(merged(named, stock), { minLength: 1, maxLength: 8 });

const least = { rawBrandName: 'Brand', rawProductName: 'Product', cost: 5 };
const create = merged(
  fc.constant({ ...least, costIsVatInclusive: true }),
  seldom(price),
  sometimes(salePrice),
  seldom(stock),
  seldom(details),
  sometimes(fc.record({ vendorExternalId })),
  sometimes(fc.record({ saveAsDraft: flag })),
);
const update = merged(sometimes(details), sometimes(price), sometimes(salePrice), sometimes(stock));
const patch = (path: string, body: fc.Arbitrary<object>) =>
  fc.tuple(
    fc.constant('PATCH' as const),
    target.map((id) => path.replace('{id}', id)),
    body,
  );

/** A call that takes `validateOnly`. */
const anyCall = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('POST' as const), fc.constant(''), create) },
  patch('/{id}', update),
  patch('/{id}/cost', price),
  patch('/{id}/sale-price', salePrice),
  patch('/{id}/stock', stock),
  patch('/stock', fc.record({ items })),
);
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

/** The call on the offers of a world. */
function onWorld(given: AnyCall, { offers }: World): AnyCall {
  const unknown = unknownId();
  const idAt = (_all: string, position: string) => offers[Number(position)]?.id ?? unknown;
  return JSON.parse(JSON.stringify(given).replaceAll(/\{(\d+)\}/g, idAt)) as AnyCall;
}

const send = (gateway: Gateway, { vendor }: World, [method, path, body]: AnyCall, query = '') =>
  call(gateway, method, `/api/v1/scent/offers${path}${query}`, { token: vendor.token, body });

const changing = ['id', 'createdDate', 'lastModifiedDate', 'reviewedAt', 'changedAt'];

/** What a response says, without what differs from one call to the next. */
function outcomeOf({ status, state, payload, details }: ApiResponse) {
  const { validateOnly, ...rest } = details;
  const comparable = JSON.parse(JSON.stringify(payload), (key, value: unknown) =>
    changing.includes(key) ? undefined : value,
  ) as unknown;
  return { validateOnly, response: { status, state, payload: comparable, details: rest } };
}

test('previews what the call then returns, and changes nothing', async ({ gateway }) => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(anyCall, { minLength: 4, maxLength: 10 }),
    fc.boolean(),
    async (offers, calls, isSwitched) => {
      const world = await createWorld(gateway, offers);
      if (isSwitched) await runOther(gateway, world, { type: 'switch' });
      for (const each of calls) {
        const sent = onWorld(each, world);
        const before = await checksums(gateway);
        const preview = outcomeOf(await send(gateway, world, sent, '?validateOnly=true'));
        expect(await checksums(gateway)).toEqual(before);
        const real = outcomeOf(await send(gateway, world, sent));
        expect(preview.response).toEqual(real.response);
        expect(real.validateOnly).toBeUndefined();
        expect(preview.validateOnly).toBe(real.response.state === 'SUCCESS' ? true : undefined);
        seen.add(`${each[0]} ${real.response.status}`);
      }
    },
  );
  await fc.assert(property, { numRuns: 80 });
  // The calls reached every kind of response.
  const patches = [200, 400, 404, 422].map((status) => `PATCH ${status}`);
  const posts = [200, 201, 400, 422].map((status) => `POST ${status}`);
  expect([...seen].toSorted()).toEqual([...patches, ...posts]);
}, 300_000);
