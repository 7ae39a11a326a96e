import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fieldErrors } from '../../../api/validation/field-errors.ts';

const schema = v.strictObject({
  costIsVatInclusive: v.boolean(),
  cost: v.number(),
  id: v.string(),
});

test.each([
  ['CostIsVatInclusive', 'did you mean costIsVatInclusive?'],
  ['cost_is_vat_inclusive', 'did you mean costIsVatInclusive?'],
  ['costIsVatInclusve', 'did you mean costIsVatInclusive?'],
  ['costIsVatInclusivee', 'did you mean costIsVatInclusive?'],
  ['kost', 'did you mean cost?'],
  ['ID', 'did you mean id?'],
  ['it', 'remove it'],
  ['price', 'remove it'],
  ['', 'remove it'],
  ['__proto__x', 'remove it'],
  ['c'.repeat(100_000), 'remove it'],
])('an unknown field gets advice', (key, advice) => {
  const body = { cost: 1, id: 'x', costIsVatInclusive: true, [key]: 1 };
  const { issues = [] } = v.safeParse(schema, body);
  expect(fieldErrors(schema, body, issues)).toMatchObject([
    { code: 'unknown_field', message: `is not a field of this request; ${advice}` },
  ]);
});
