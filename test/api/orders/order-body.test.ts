import { expect, test } from 'vitest';
import { orderBody } from '../../../api/orders/order-body.ts';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';

// The forms of the fields have their cases in `validation/fields.test.ts`.

const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const shipTo = {
  recipient: 'Recipient',
  line1: 'Line 1',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966500000000',
};
const line = { variantId: id, quantity: 1 };
const group = { carrier: 'CarrierA', lines: [line] };
const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

const errorsOf = (body: unknown): readonly string[] =>
  bodyErrors(orderBody, body).map(({ path, code }) => `${path} ${code}`);

test.each<[unknown, readonly string[]]>([
  [{}, ['/shipTo required', '/groups required']],
  [
    { shipTo: {}, groups: [] },
    [
      '/shipTo/recipient required',
      '/shipTo/line1 required',
      '/shipTo/city required',
      '/shipTo/country required',
      '/shipTo/phone required',
      '/groups too_few',
    ],
  ],
  [
    { shipTo: { ...shipTo, city: ' ', phone: null, zip: '1' }, groups: [{}], partner: 'P' },
    [
      '/shipTo/city required',
      '/shipTo/phone invalid_type',
      '/groups/0/carrier required',
      '/groups/0/lines required',
      '/partner unknown_field',
      '/shipTo/zip unknown_field',
    ],
  ],
  [{ shipTo, groups: 'x' }, ['/groups invalid_type']],
  [
    { shipTo: null, groups: [null, 7] },
    ['/shipTo invalid_type', '/groups/0 invalid_type', '/groups/1 invalid_type'],
  ],
  // A list that is too long is judged by its length alone.
  [{ shipTo, groups: many(51, {}) }, ['/groups too_many']],
  [{ shipTo, groups: many(50, group) }, []],
  ...(
    [
      ['recipient', 255],
      ['line1', 255],
      ['line2', 255],
      ['city', 255],
      ['region', 255],
      ['postalCode', 50],
      ['country', 100],
      ['phone', 50],
    ] as const
  ).flatMap(([name, max]) =>
    [[], [`/shipTo/${name} too_long`]].map((errors, more): [unknown, readonly string[]] => [
      { shipTo: { ...shipTo, [name]: 'x'.repeat(max + more) }, groups: [group] },
      errors,
    ]),
  ),
])('%#: judges the body of an order: %j', (body, errors) => {
  expect(errorsOf(body)).toEqual(errors);
});

test.each<[object, readonly string[]]>([
  [{}, []],
  [{ vendorId: id }, []],
  [{ vendorId: null, sourcing: true }, []],
  [{ vendorId: id, sourcing: false }, []],
  [{ carrier: 'Other', carrierNameOther: 'x'.repeat(255) }, []],
  [{ carrierNameOther: ' ' }, []],
  [{ lines: many(80, { ...line, quantity: 1_000_000 }) }, []],
  [{ carrier: 'carrierA' }, ['carrier not_allowed']],
  [{ vendorId: 'x' }, ['vendorId invalid_uuid']],
  [{ sourcing: 'true' }, ['sourcing invalid_type']],
  [{ price: 1 }, ['price unknown_field']],
  [{ vendorId: id, sourcing: true }, ['vendorId clashes_with_sourcing']],
  [{ carrierNameOther: 'Van' }, ['carrierNameOther not_allowed']],
  // The carrier Other requires its name (D79).
  [{ carrier: 'Other' }, ['carrierNameOther required']],
  [{ carrier: 'Other', carrierNameOther: ' ' }, ['carrierNameOther required']],
  [{ carrier: 'Other', carrierNameOther: 'x'.repeat(256) }, ['carrierNameOther too_long']],
  [{ lines: [] }, ['lines too_few']],
  [{ lines: many(81, 'x') }, ['lines too_many']],
  [{ lines: [line, 'x'] }, ['lines/1 invalid_type']],
  [{ lines: [{ ...line, quantity: 0 }] }, ['lines/0/quantity too_small']],
  [{ lines: [{ ...line, quantity: 1.5 }] }, ['lines/0/quantity invalid_integer']],
  [{ lines: [{ ...line, quantity: '1' }] }, ['lines/0/quantity invalid_type']],
  [{ lines: [{ ...line, quantity: 1_000_001 }] }, ['lines/0/quantity too_large']],
  [{ lines: [{ ...line, variantId: 'x' }] }, ['lines/0/variantId invalid_uuid']],
  [{ lines: [...many(9, line), { ...line, sku: 'S' }] }, ['lines/9/sku unknown_field']],
])('judges a group with %j: %j', (given, errors) => {
  const groups = [group, { ...group, ...given }];
  expect(errorsOf({ shipTo, groups })).toEqual(errors.map((error) => `/groups/1/${error}`));
});

test('treats blank texts and null as absent, and accepts ids in upper case', () => {
  const given = {
    vendorId: id.toUpperCase(),
    carrierNameOther: ' ',
    lines: [{ ...line, variantId: id.toUpperCase() }],
  };
  const address = { ...shipTo, line2: null, region: ' ', postalCode: '' };
  const { output } = parseBody(orderBody, { shipTo: address, groups: [{ ...group, ...given }] });
  expect(output).toEqual({
    shipTo: { ...shipTo, line2: null, region: null, postalCode: null },
    groups: [{ ...group, vendorId: id, sourcing: null, carrierNameOther: null }],
  });
});
