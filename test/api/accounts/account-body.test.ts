import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { agreementBody } from '../../../api/accounts/operator-agreement.ts';
import { issueBody } from '../../../api/accounts/operator-credentials.ts';
import { newVendorBody } from '../../../api/accounts/operator-vendors.ts';
import { generateBody } from '../../../api/accounts/vendor-credentials.ts';
import { profileBody } from '../../../api/accounts/vendor-profile.ts';
import { operatorTokenBody } from '../../../api/auth/operator-token-route.ts';
import { tokenBody } from '../../../api/auth/vendor-token-route.ts';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';
import { activeBody } from '../../../api/validation/fields.ts';

// The bodies of vendors, agreements, profiles, credentials and token calls. The forms of the fields
// have their cases in `validation/fields.test.ts`.

const errorsOf = (schema: v.GenericSchema, body: unknown): readonly string[] =>
  bodyErrors(schema, body).map(({ path, code }) => `${path} ${code}`);

const name = 'V';
const markup = { pricingModel: 'CostPlusMargin', markupPercent: 1 };
const commission = { pricingModel: 'PercentageOfSale', commissionPercent: 1 };

/** A body and its errors. */
type Case = readonly [body: object, ...errors: readonly string[]];

const agreements: readonly Case[] = [
  [markup],
  [{ ...markup, markupPercent: 0 }],
  [{ ...markup, markupPercent: 1000 }],
  [{ ...markup, commissionPercent: null }],
  [{ ...commission, commissionPercent: 100 }],
  [{}, '/pricingModel required'],
  [{ ...markup, pricingModel: 'costplusmargin' }, '/pricingModel not_allowed'],
  [{ pricingModel: 'CostPlusMargin' }, '/markupPercent agreement_mismatch'],
  [{ ...markup, markupPercent: null }, '/markupPercent agreement_mismatch'],
  [{ ...markup, commissionPercent: 1 }, '/commissionPercent agreement_mismatch'],
  [{ ...markup, markupPercent: 1000.01 }, '/markupPercent invalid_percent'],
  [{ pricingModel: 'PercentageOfSale' }, '/commissionPercent agreement_mismatch'],
  [
    { pricingModel: 'PercentageOfSale', markupPercent: 1 },
    '/markupPercent agreement_mismatch',
    '/commissionPercent agreement_mismatch',
  ],
  [{ ...commission, commissionPercent: 100.01 }, '/commissionPercent invalid_percent'],
  [{ ...commission, more: 1 }, '/more unknown_field'],
];

const capabilities = 'Stock';
const long = 'x'.repeat(256);
const profile = { id: 'x', pricingModel: 'CostPlusMargin', isActive: true };

test.each<readonly [string, v.GenericSchema, readonly Case[]]>([
  [
    'a new vendor',
    newVendorBody,
    [
      ...agreements.map(([body, ...errors]): Case => [{ name, ...body }, ...errors]),
      [markup, '/name required'],
      [{ ...markup, name: ' ' }, '/name required'],
      [{ ...markup, name: long }, '/name too_long'],
    ],
  ],
  ['an agreement', agreementBody, [...agreements, [{ ...markup, name }, '/name unknown_field']]],
  [
    'a profile',
    profileBody,
    [
      [{}],
      [{ name: '😀'.repeat(255) }],
      [{ name: '😀'.repeat(256) }, '/name too_long'],
      [{ name: ' \n' }, '/name required'],
      [{ name: 'a\0b' }, '/name invalid_characters'],
      [{ name: 5, contactEmail: [] }, '/name invalid_type', '/contactEmail invalid_type'],
      [profile, '/id unknown_field', '/pricingModel unknown_field', '/isActive unknown_field'],
    ],
  ],
  [
    'a generation',
    generateBody,
    [
      [{ capabilities }],
      [{}, '/capabilities required'],
      [{ capabilities: null }, '/capabilities invalid_type'],
      [{ capabilities, environment: 'Production' }, '/environment unknown_field'],
      [{ capabilities: 'x', id: 'a' }, '/capabilities invalid_capabilities', '/id unknown_field'],
    ],
  ],
  [
    'an issue',
    issueBody('Production'),
    [
      [{ environment: 'Production', capabilities }],
      [{}, '/environment required', '/capabilities required'],
      [{ environment: 'production', capabilities }, '/environment not_allowed'],
    ],
  ],
  [
    'a token call',
    tokenBody,
    [
      [
        { clientId: long, vendorId: 'x' },
        '/clientId too_long',
        '/clientSecret required',
        '/vendorId unknown_field',
      ],
      [{ clientId: ' ', clientSecret: long }, '/clientId required', '/clientSecret too_long'],
    ],
  ],
  [
    "an operator's token call",
    operatorTokenBody,
    [
      [
        { operatorId: 5, roles: [] },
        '/operatorId invalid_type',
        '/operatorSecret required',
        '/roles unknown_field',
      ],
    ],
  ],
  [
    'an activation',
    activeBody,
    [
      [{ isActive: false }],
      [{}, '/isActive required'],
      [{ isActive: null }, '/isActive invalid_type'],
      [{ isActive: 'false' }, '/isActive invalid_type'],
      [{ isActive: true, name }, '/name unknown_field'],
    ],
  ],
])('accepts and refuses the bodies of %s', (_of, schema, cases) => {
  for (const [body, ...errors] of cases)
    expect.soft(errorsOf(schema, body), JSON.stringify(body)).toEqual(errors);
});

test('capabilities become the order of the specification, and a blank e-mail address null', () => {
  expect(parseBody(generateBody, { capabilities: ' Orders, Offers ,Orders' }).output).toEqual({
    capabilities: ['Offers', 'Orders'],
  });
  expect(parseBody(profileBody, { contactEmail: '' }).output).toEqual({ contactEmail: null });
});
