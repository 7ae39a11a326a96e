import * as v from 'valibot';
import { expect, test } from 'vitest';
import { salePriceItem } from '../../../api/offers/bulk/bulk-body.ts';
import { createOfferBody } from '../../../api/offers/create-offer-body.ts';
import { updateOfferBody } from '../../../api/offers/update-offer-body.ts';
import {
  barcode,
  capabilityList,
  clearableEmail,
  clearableText,
  filledText,
  optionalField,
  optionalText,
  percent,
  sar,
  sarOrZero,
  sizeMl,
  stockQuantity,
  text,
  uuid,
} from '../../../api/validation/fields.ts';
import { bodyErrors } from '../../../api/validation/compiler.ts';

// The forms of single fields. The tests of a body have only which form each of its fields has.

/** What a schema makes of a value, or the code of its refusal. */
const judged = (schema: v.GenericSchema, value: unknown): unknown => {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [error] = bodyErrors(v.strictObject({ field: schema }), { field: value });
  return error?.code;
};

const id = '019A1F00-1200-7B20-A1B2-C3D4E5F60703';
const long = '😀'.repeat(3);
/**
 * An e-mail address of a given number of characters, of labels that are no longer than DNS allows.
 */
const emailOf = (length: number) =>
  `${'l'.repeat(10)}@${`${'d'.repeat(59)}.`.repeat(4)}`.padEnd(length, 'e');
const emails = [
  'info@مثال.السعودية',
  'info@bücher.example',
  'a@b',
  'first+tag@sub.vendor.example',
  "o'brien_9@vendor-co.example",
  'A@B.EX',
];
const notEmails = [
  'info@مثال..السعودية',
  'info@\u202eمثال.السعودية',
  'info@مثال\u200b.السعودية',
  'info@مثال .السعودية',
  'معلومات@مثال.السعودية',
  'x',
  '@',
  'a@',
  '@b.example',
  'a b@c.example',
  ' a@b.example',
  'a@b.example ',
  'a@b.example,c@d.example',
  'a@@b.example',
  'a@b..example',
  'a@-b.example',
  'Someone <a@b.example>',
  'mailto:a@b.example',
  'a@b.example\r\nBcc: c@d.example',
  'a@b.example\n',
];

type Case = readonly [form: string, schema: v.GenericSchema, value: unknown, expected: unknown];

test.each<Case>([
  ['text', text(3), ' a ', ' a '],
  ['text', text(3), '', ''],
  ['text', text(3), long, long],
  ['text', text(3), `${long}x`, 'too_long'],
  ['text', text(3), '    ', 'too_long'],
  ['text', text(3), 'a\0b', 'invalid_characters'],
  ['text', text(3), '\ud800', 'invalid_characters'],
  ['text', text(3), '\ude00\ud83d', 'invalid_characters'],
  ['text', text(3), 5, 'invalid_type'],
  ['text', text(3), null, 'invalid_type'],
  ['filled text', filledText(3), ' a ', ' a '],
  ['filled text', filledText(3), ' \n', 'required'],
  ['filled text', filledText(3), null, 'invalid_type'],
  ['filled text', filledText(3), '\u200b\u00a0\u200f', 'required'],
  ['text', text(3), 'a\u202eb', 'a\u202eb'],
  ...['\u202a', '\u202e', '\u2066', '\u2069'].flatMap((control): Case[] => [
    ['name', text(3, 'name'), `a${control}`, 'invalid_characters'],
    ['filled name', filledText(3, 'name'), `a${control}`, 'invalid_characters'],
    ['optional name', optionalText(3, 'name'), `a${control}`, 'invalid_characters'],
    ['clearable name', clearableText(3, 'name'), `a${control}`, 'invalid_characters'],
  ]),
  ['name', text(9, 'name'), 'دار\u200f 1', 'دار\u200f 1'],
  ['optional text', optionalText(3), undefined, null],
  ['optional text', optionalText(3), null, null],
  ['optional text', optionalText(3), ' \t', null],
  ['optional text', optionalText(3), ' a', ' a'],
  ['optional text', optionalText(3), '    ', 'too_long'],
  ['clearable text', clearableText(3), undefined, undefined],
  ['clearable text', clearableText(3), null, undefined],
  ['clearable text', clearableText(3), ' ', null],
  ['clearable text', clearableText(3), 'a', 'a'],
  ['optional field', optionalField(v.boolean()), null, null],
  ['optional field', optionalField(v.boolean()), 'true', 'invalid_type'],
  ['uuid', uuid, id, id.toLowerCase()],
  ['uuid', uuid, id.replaceAll('-', ''), 'invalid_uuid'],
  ['uuid', uuid, '', 'invalid_uuid'],
  ['uuid', uuid, 5, 'invalid_type'],
  ['barcode', barcode, '96385074', '96385074'],
  ['barcode', barcode, '٩٦٣٨٥٠٧٤', '96385074'],
  ['barcode', barcode, '\u200e۹۶۳۸۵۰۷۴', '96385074'],
  ['barcode', barcode, '٩٦٣٨٥٠٧٥', 'invalid_barcode'],
  ['barcode', barcode, '', 'invalid_barcode'],
  ['barcode', barcode, ' 4006381333931', 'invalid_barcode'],
  ['barcode', barcode, '4006381333932', 'invalid_barcode'],
  ['barcode', barcode, 4_006_381_333_931, 'invalid_type'],
  ['amount', sar, 0.01, 1],
  ['amount', sar, 9_999_999.99, 999_999_999],
  ['amount', sar, 0, 'invalid_amount'],
  ['amount', sar, 10_000_000, 'invalid_amount'],
  ['amount', sar, 1.005, 'invalid_amount'],
  ['amount', sar, Infinity, 'invalid_amount'],
  ['amount', sar, '5', 'invalid_type'],
  ['amount', sar, [5], 'invalid_type'],
  ['amount or 0', sarOrZero('here'), 0, 0],
  ['amount or 0', sarOrZero('here'), 0.01, 1],
  ['amount or 0', sarOrZero('here'), -0.01, 'invalid_amount'],
  ['quantity', stockQuantity, 0, 0],
  ['quantity', stockQuantity, 1_000_000, 1_000_000],
  ['quantity', stockQuantity, 1_000_001, 'too_large'],
  ['quantity', stockQuantity, -1, 'too_small'],
  ['quantity', stockQuantity, 0.5, 'invalid_integer'],
  ['quantity', stockQuantity, Infinity, 'invalid_integer'],
  ['quantity', stockQuantity, '5', 'invalid_type'],
  ['size', sizeMl, 1, 1],
  ['size', sizeMl, 100_000, 100_000],
  ['size', sizeMl, 100_001, 'too_large'],
  ['size', sizeMl, 0, 'too_small'],
  ['size', sizeMl, 1.5, 'invalid_integer'],
  // D55.
  ...[...emails, emailOf(254)].map((email): Case => ['e-mail', clearableEmail, email, email]),
  ...notEmails.map((email): Case => ['e-mail', clearableEmail, email, 'invalid_email']),
  ['e-mail', clearableEmail, emailOf(255), 'too_long'],
  ['e-mail', clearableEmail, 5, 'invalid_type'],
  ['e-mail', clearableEmail, null, undefined],
  ['e-mail', clearableEmail, ' \t', null],
  // The names have their cases in `test/domain/accounts/capabilities.test.ts` (D14).
  ['capabilities', capabilityList, 'stock', 'invalid_capabilities'],
  ['capabilities', capabilityList, '', 'invalid_capabilities'],
  ['capabilities', capabilityList, 'Stock\0', 'invalid_capabilities'],
  ['capabilities', capabilityList, `Stock${' '.repeat(996)}`, 'invalid_capabilities'],
  ['capabilities', capabilityList, ['Stock'], 'invalid_type'],
  ['percentage', percent(100), 0, 0],
  ['percentage', percent(100), 12.34, 1234],
  ['percentage', percent(100), 100, 10_000],
  ['percentage', percent(100), -0.01, 'invalid_percent'],
  ['percentage', percent(100), 100.01, 'invalid_percent'],
  ['percentage', percent(100), 1.005, 'invalid_percent'],
  ['percentage', percent(100), '1', 'invalid_type'],
])('%#: judges the $0 $2 as $3', (_form, schema, value, expected) => {
  expect(judged(schema, value)).toBe(expected);
});

const known = v.strictObject({
  costIsVatInclusive: v.boolean(),
  cost: v.number(),
  id: v.string(),
});
const names = { rawBrandName: 'B', rawProductName: 'P' };
const priced = { ...names, cost: 1 };
const item = { vendorExternalId: 'x', salePrice: 1 };
const vat = '(false: net, true: with VAT)';
const rounding = 'with at most two decimals: round it to halalas (0.01 SAR)';

test.each<readonly [schema: v.GenericSchema, body: object, field: string, message: unknown]>([
  ...[
    ['CostIsVatInclusive', 'did you mean costIsVatInclusive?'],
    ['cost_is_vat_inclusive', 'did you mean costIsVatInclusive?'],
    ['costIsVatInclusve', 'did you mean costIsVatInclusive?'],
    ['costIsVatInclusivee', 'did you mean costIsVatInclusive?'],
    ['kost', 'did you mean cost?'],
    ['ID', 'did you mean id?'],
    ...['it', 'price', '', '__proto__x', 'c'.repeat(100_000)].map((key) => [key, 'remove it']),
  ].map(([key = '', advice = '']) => {
    const body = { cost: 1, id: 'x', costIsVatInclusive: true, [key]: 1 };
    return [known, body, key, `is not a field of this request; ${advice}`] as const;
  }),
  [
    v.strictObject({ a: sar }),
    { a: -1.2345 },
    'a',
    `must be above 0, at most 9999999.99, ${rounding}`,
  ],
  [
    v.strictObject({ a: sarOrZero('under Model 2') }),
    { a: -1.2345 },
    'a',
    expect.stringMatching(/^must be above 0 \(0 only under Model 2\), at most/),
  ],
  [createOfferBody, priced, 'costIsVatInclusive', `is required ${vat}`],
  [
    createOfferBody,
    { ...priced, costIsVatInclusive: 'no' },
    'costIsVatInclusive',
    `must be of type boolean ${vat}`,
  ],
  [
    updateOfferBody,
    { salePrice: 1 },
    'salePriceIsVatInclusive',
    `is required when salePrice is present ${vat}`,
  ],
  [salePriceItem, item, 'salePriceIsVatInclusive', `is required ${vat}`],
  [
    updateOfferBody,
    { cost: 1, costIsVatInclusive: true, declaredInStock: true, salePriceIsVatInclusive: true },
    'salePriceIsVatInclusive',
    'must not be sent together with declared stock',
  ],
])('%#: says in the message what to do about a field', (schema, body, field, message) => {
  expect(bodyErrors(schema, body)).toMatchObject([
    { path: expect.stringContaining(`/${field.slice(0, 50)}`), message },
  ]);
});
