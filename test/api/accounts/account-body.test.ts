import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { agreementBody } from '../../../api/accounts/operator-agreement.ts';
import { issueBody } from '../../../api/accounts/operator-credentials.ts';
import { newVendorBody } from '../../../api/accounts/operator-vendors.ts';
import { generateBody } from '../../../api/accounts/vendor-credentials.ts';
import { profileBody } from '../../../api/accounts/vendor-profile.ts';
import { operatorTokenBody, tokenBody } from '../../../api/auth/token-routes.ts';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';
import { activeBody } from '../../../api/validation/fields.ts';

// The bodies of vendors, agreements, profiles, credentials and token calls. The forms of the fields
// have their cases in `validation/fields.test.ts`.

const bodies = {
  agreement: agreementBody,
  vendor: newVendorBody,
  profile: profileBody,
  generation: generateBody,
  issue: issueBody('Production'),
  token: tokenBody,
  operatorToken: operatorTokenBody,
  activation: activeBody,
} as const satisfies Record<string, v.GenericSchema>;

const name = 'V';
const long = 'x'.repeat(256);
const markup = { pricingModel: 'CostPlusMargin', markupPercent: 1 };
const commission = { pricingModel: 'PercentageOfSale', commissionPercent: 1 };
const production = { environment: 'Production', capabilities: 'Stock' };
const foreign = { id: 'x', pricingModel: 'CostPlusMargin', isActive: true };

type Case = readonly [keyof typeof bodies, body: object, ...errors: readonly string[]];

const agreements: readonly Case[] = [
  ['agreement', markup],
  ['agreement', { ...markup, markupPercent: 0 }],
  ['agreement', { ...markup, markupPercent: 1000 }],
  ['agreement', { ...markup, commissionPercent: null }],
  ['agreement', { ...commission, commissionPercent: 100 }],
  ['agreement', {}, '/pricingModel required'],
  ['agreement', { ...markup, pricingModel: 'costplusmargin' }, '/pricingModel not_allowed'],
  ['agreement', { pricingModel: 'CostPlusMargin' }, '/markupPercent agreement_mismatch'],
  ['agreement', { ...markup, markupPercent: null }, '/markupPercent agreement_mismatch'],
  ['agreement', { ...markup, commissionPercent: 1 }, '/commissionPercent agreement_mismatch'],
  ['agreement', { ...markup, markupPercent: 1000.01 }, '/markupPercent invalid_percent'],
  ['agreement', { pricingModel: 'PercentageOfSale' }, '/commissionPercent agreement_mismatch'],
  [
    'agreement',
    { ...markup, pricingModel: 'PercentageOfSale' },
    '/markupPercent agreement_mismatch',
    '/commissionPercent agreement_mismatch',
  ],
  ['agreement', { ...commission, commissionPercent: 100.01 }, '/commissionPercent invalid_percent'],
  ['agreement', { ...commission, more: 1 }, '/more unknown_field'],
];

test.for<Case>([
  ...agreements,
  ['agreement', { ...markup, name }, '/name unknown_field'],
  ...agreements.map(([, body, ...errors]): Case => ['vendor', { name, ...body }, ...errors]),
  ['vendor', markup, '/name required'],
  ['vendor', { ...markup, name: ' ' }, '/name required'],
  ['vendor', { ...markup, name: long }, '/name too_long'],
  ['profile', {}],
  ['profile', { name: '😀'.repeat(255) }],
  ['profile', { name: '😀'.repeat(256) }, '/name too_long'],
  ['profile', { name: ' \n' }, '/name required'],
  ['profile', { name: 'a\0b' }, '/name invalid_characters'],
  ['profile', { name: 5, contactEmail: [] }, '/name invalid_type', '/contactEmail invalid_type'],
  ['profile', foreign, ...Object.keys(foreign).map((field) => `/${field} unknown_field`)],
  ['generation', { capabilities: 'Stock' }],
  ['generation', {}, '/capabilities required'],
  ['generation', { capabilities: null }, '/capabilities invalid_type'],
  ['generation', production, '/environment unknown_field'],
  ['generation', { capabilities: 'x' }, '/capabilities invalid_capabilities'],
  ['generation', { capabilities: 'Stock', id: 'a' }, '/id unknown_field'],
  ['issue', production],
  ['issue', {}, '/environment required', '/capabilities required'],
  ['issue', { ...production, environment: 'production' }, '/environment not_allowed'],
  ['token', { clientId: long }, '/clientId too_long', '/clientSecret required'],
  ['token', { clientId: ' ', clientSecret: long }, '/clientId required', '/clientSecret too_long'],
  ['token', { clientId: 'x', clientSecret: 'x', vendorId: 'x' }, '/vendorId unknown_field'],
  ['operatorToken', { operatorId: 5 }, '/operatorId invalid_type', '/operatorSecret required'],
  ['operatorToken', { operatorId: 'x', operatorSecret: 'x', roles: [] }, '/roles unknown_field'],
  ['activation', { isActive: false }],
  ['activation', {}, '/isActive required'],
  ['activation', { isActive: null }, '/isActive invalid_type'],
  ['activation', { isActive: 'false' }, '/isActive invalid_type'],
  ['activation', { isActive: true, name }, '/name unknown_field'],
])('judges the %s body %j: %s', ([of, body, ...errors]) => {
  expect(bodyErrors(bodies[of], body).map(({ path, code }) => `${path} ${code}`)).toEqual(errors);
});

test('sorts capabilities as the specification does, and clears a blank e-mail address', () => {
  expect(parseBody(generateBody, { capabilities: ' Orders, Offers ,Orders' }).output).toEqual({
    capabilities: ['Offers', 'Orders'],
  });
  expect(parseBody(profileBody, { contactEmail: '' }).output).toEqual({ contactEmail: null });
});
