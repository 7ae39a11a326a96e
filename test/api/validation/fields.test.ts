import * as v from 'valibot';
import { expect, test } from 'vitest';
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
/** An e-mail address of so many characters, of labels that are no longer than DNS allows. */
const emailOf = (length: number) =>
  `${'l'.repeat(10)}@${`${'d'.repeat(59)}.`.repeat(4)}`.padEnd(length, 'e');
const emails = [
  'a@b',
  'first+tag@sub.vendor.example',
  "o'brien_9@vendor-co.example",
  'A@B.EXAMPLE',
];
const notEmails = [
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

test.each<[string, v.GenericSchema, unknown, unknown]>([
  ['text', text(3), ' a ', ' a '],
  ['text', text(3), '', ''],
  ['text', text(3), long, long],
  ['text', text(3), 'abcd', 'too_long'],
  ['text', text(3), `${long}x`, 'too_long'],
  ['text', text(3), '    ', 'too_long'],
  ['text', text(3), 'a\0b', 'invalid_characters'],
  ['text', text(3), '\ud800', 'invalid_characters'],
  ['text', text(3), 'x\udc00', 'invalid_characters'],
  ['text', text(3), '\ude00\ud83d', 'invalid_characters'],
  ['text', text(3), 5, 'invalid_type'],
  ['text', text(3), null, 'invalid_type'],
  ['filled text', filledText(3), ' a ', ' a '],
  ['filled text', filledText(3), '', 'required'],
  ['filled text', filledText(3), ' \n', 'required'],
  ['filled text', filledText(3), null, 'invalid_type'],
  ['optional text', optionalText(3), undefined, null],
  ['optional text', optionalText(3), null, null],
  ['optional text', optionalText(3), ' \t', null],
  ['optional text', optionalText(3), '\u2003', null],
  ['optional text', optionalText(3), ' a', ' a'],
  ['optional text', optionalText(3), '    ', 'too_long'],
  ['clearable text', clearableText(3), undefined, undefined],
  ['clearable text', clearableText(3), null, undefined],
  ['clearable text', clearableText(3), ' ', null],
  ['clearable text', clearableText(3), 'a', 'a'],
  ['optional field', optionalField(v.boolean()), undefined, null],
  ['optional field', optionalField(v.boolean()), null, null],
  ['optional field', optionalField(v.boolean()), 'true', 'invalid_type'],
  ['uuid', uuid, id, id.toLowerCase()],
  ['uuid', uuid, id.replaceAll('-', ''), 'invalid_uuid'],
  ['uuid', uuid, `${id}0`, 'invalid_uuid'],
  ['uuid', uuid, '', 'invalid_uuid'],
  ['uuid', uuid, 5, 'invalid_type'],
  ['barcode', barcode, '96385074', '96385074'],
  ['barcode', barcode, '', 'invalid_barcode'],
  ['barcode', barcode, ' 4006381333931', 'invalid_barcode'],
  ['barcode', barcode, '4006381333932', 'invalid_barcode'],
  ['barcode', barcode, 4_006_381_333_931, 'invalid_type'],
  ['amount', sar, 0.01, 1],
  ['amount', sar, 8.16, 816],
  ['amount', sar, 9_999_999.99, 999_999_999],
  ['amount', sar, 0, 'invalid_amount'],
  ['amount', sar, -0.01, 'invalid_amount'],
  ['amount', sar, 10_000_000, 'invalid_amount'],
  ['amount', sar, 1.005, 'invalid_amount'],
  ['amount', sar, 0.1 + 0.2, 'invalid_amount'],
  ['amount', sar, 8.165, 'invalid_amount'],
  ['amount', sar, 1e-7, 'invalid_amount'],
  ['amount', sar, 1e21, 'invalid_amount'],
  ['amount', sar, Infinity, 'invalid_amount'],
  ['amount', sar, '5', 'invalid_type'],
  ['amount', sar, true, 'invalid_type'],
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
  ['size', sizeMl, '', 'invalid_type'],
  // D55.
  ...[...emails, emailOf(254)].map(
    (email) =>
      ['e-mail', clearableEmail, email, email] as [string, v.GenericSchema, unknown, unknown],
  ),
  ...notEmails.map(
    (text) =>
      ['e-mail', clearableEmail, text, 'invalid_email'] as [
        string,
        v.GenericSchema,
        unknown,
        unknown,
      ],
  ),
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
])('%s %#: %o → %o', (_form, schema, value, expected) => {
  expect(judged(schema, value)).toBe(expected);
});

test.each([
  [sar, /^must be above 0, at most 9999999\.99, with at most two decimals: round it to halalas/],
  [sarOrZero('under Model 2'), /^must be above 0 \(0 only under Model 2\), at most/],
])('an amount is refused with the advice to round it', (schema, message) => {
  const errors = bodyErrors(v.strictObject({ cost: schema }), { cost: -1.2345 });
  expect(errors).toMatchObject([{ message: expect.stringMatching(message) }]);
});
