import * as fc from 'fast-check';
import { call, unknownId, type Answer, type Gateway } from '../../support/api/api.ts';
import type { World } from '../offers/bulk/bulk-model.ts';

/** Calls that take `validateOnly`, on offers in all states. */
export type PreviewedCall = {
  readonly method: 'POST' | 'PATCH';
  /** With the id of an offer for `{id}`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Mostly well-formed values. */
const mostly = (valid: readonly unknown[], wrong: readonly unknown[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
const amount = mostly([100, 115, 120, 138, 77.77, 0.03], [0, -1, 1.001, 'x']);
const flag = fc.boolean();
const text = mostly(['A', ' ', 'B', null], [7]);
const barcode = mostly(['4006381333931', '96385074', null], ['123']);
const price = fc.record({ cost: amount, costIsVatInclusive: mostly([true, false], [null]) });
const salePrice = fc.record({ salePrice: amount, salePriceIsVatInclusive: flag });
const stock = fc.record(
  { declaredInStock: fc.constant(true), declaredStockQuantity: mostly([1, 7, null], [0, -1]) },
  { requiredKeys: [] },
);
const externalId = fc.constantFrom('external-0', 'external-1', 'external-new', null);
const details = fc.record(
  {
    vendorExternalId: externalId,
    vendorSku: text,
    rawBrandName: text,
    rawProductName: text,
    barcode,
  },
  { requiredKeys: [] },
);
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, unknown>);

const none = fc.constant({});
const sometimes = (part: fc.Arbitrary<object>) => fc.oneof(none, part);
const seldom = (part: fc.Arbitrary<object>) => fc.oneof({ weight: 4, arbitrary: none }, part);
const target = fc.integer({ min: 0, max: 12 });

const named = fc.oneof(
  target.map((position) => ({ offerId: `{${position}}` })),
  externalId.map((vendorExternalId) => ({ vendorExternalId })),
);
const itemsOf = (part: fc.Arbitrary<object>) =>
  fc.array(merged(named, part), { minLength: 1, maxLength: 8 }).map((items) => ({ items }));

const patch = (path: string, body: fc.Arbitrary<object>): fc.Arbitrary<PreviewedCall> =>
  fc.record({
    method: fc.constant('PATCH' as const),
    path: target.map((position) => path.replace('{id}', `{${position}}`)),
    body: body as fc.Arbitrary<Record<string, unknown>>,
  });

const anyCreate: fc.Arbitrary<PreviewedCall> = fc.record({
  method: fc.constant('POST' as const),
  path: fc.constant(''),
  body: merged(
    fc.constant({ rawBrandName: 'Brand', rawProductName: 'Product', cost: 5 }),
    fc.constant({ costIsVatInclusive: true }),
    seldom(price),
    sometimes(salePrice),
    seldom(stock),
    seldom(details),
    sometimes(fc.record({ vendorExternalId: externalId })),
    sometimes(fc.record({ saveAsDraft: flag })),
  ),
});

export const anyPreviewedCall: fc.Arbitrary<PreviewedCall> = fc.oneof(
  { weight: 3, arbitrary: anyCreate },
  patch(
    '/{id}',
    merged(sometimes(details), sometimes(price), sometimes(salePrice), sometimes(stock)),
  ),
  patch('/{id}/cost', price),
  patch('/{id}/sale-price', salePrice),
  patch('/{id}/stock', stock),
  patch('/stock', itemsOf(stock)),
);

/** The call on the offers of a world; a position beyond them is no offer of the vendor. */
export function onWorld(previewed: PreviewedCall, { offers }: World): PreviewedCall {
  const unknown = unknownId();
  return JSON.parse(
    JSON.stringify(previewed).replaceAll(
      /\{(\d+)\}/g,
      (_all, position: string) => offers[Number(position)]?.id ?? unknown,
    ),
  ) as PreviewedCall;
}

export function send(
  gateway: Gateway,
  { vendor }: World,
  { method, path, body }: PreviewedCall,
  query = '',
): Promise<Answer> {
  const url = `/api/v1/scent/offers${path}${query}`;
  return call(gateway, method, url, { token: vendor.token, body });
}

const changing = ['id', 'createdDate', 'lastModifiedDate', 'reviewedAt', 'changedAt'];

/** What an answer says, without what differs from one call to the next. */
export function outcomeOf({ status, state, payload, details }: Answer) {
  const { validateOnly, ...rest } = details;
  const comparable = JSON.parse(JSON.stringify(payload), (key, value: unknown) =>
    changing.includes(key) ? undefined : value,
  ) as unknown;
  return { validateOnly, answer: { status, state, payload: comparable, details: rest } };
}
