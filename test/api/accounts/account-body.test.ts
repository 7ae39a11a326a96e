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

test.each<[object, readonly string[]]>([
  [markup, []],
  [{ ...markup, markupPercent: 0 }, []],
  [{ ...markup, markupPercent: 1000 }, []],
  [{ ...markup, commissionPercent: null }, []],
  [{ ...commission, commissionPercent: 100 }, []],
  [{}, ['/pricingModel required']],
  [{ ...markup, pricingModel: 'costplusmargin' }, ['/pricingModel not_allowed']],
  [{ pricingModel: 'CostPlusMargin' }, ['/markupPercent agreement_mismatch']],
  [{ ...markup, markupPercent: null }, ['/markupPercent agreement_mismatch']],
  [{ ...markup, commissionPercent: 1 }, ['/commissionPercent agreement_mismatch']],
  [{ ...markup, markupPercent: 1000.01 }, ['/markupPercent invalid_percent']],
  [{ pricingModel: 'PercentageOfSale' }, ['/commissionPercent agreement_mismatch']],
  [
    { pricingModel: 'PercentageOfSale', markupPercent: 1 },
    ['/markupPercent agreement_mismatch', '/commissionPercent agreement_mismatch'],
  ],
  [{ ...commission, commissionPercent: 100.01 }, ['/commissionPercent invalid_percent']],
  [{ ...commission, more: 1 }, ['/more unknown_field']],
])('the agreement %j of a switch and of a new vendor: %j', (agreement, errors) => {
  expect(errorsOf(agreementBody, agreement)).toEqual(errors);
  expect(errorsOf(newVendorBody, { name, ...agreement })).toEqual(errors);
});

test.each<[string, v.GenericSchema, object, readonly string[]]>([
  ['a new vendor', newVendorBody, markup, ['/name required']],
  ['a new vendor', newVendorBody, { ...markup, name: ' ' }, ['/name required']],
  ['a new vendor', newVendorBody, { ...markup, name: 'x'.repeat(256) }, ['/name too_long']],
  ['an agreement', agreementBody, { ...markup, name }, ['/name unknown_field']],
  ['a profile', profileBody, {}, []],
  ['a profile', profileBody, { name: '😀'.repeat(255) }, []],
  ['a profile', profileBody, { name: '😀'.repeat(256) }, ['/name too_long']],
  ['a profile', profileBody, { name: ' \n' }, ['/name required']],
  ['a profile', profileBody, { name: 'a\0b' }, ['/name invalid_characters']],
  [
    'a profile',
    profileBody,
    { name: 5, contactEmail: [] },
    ['/name invalid_type', '/contactEmail invalid_type'],
  ],
  [
    'a profile',
    profileBody,
    { id: 'x', pricingModel: 'CostPlusMargin', isActive: true },
    ['/id unknown_field', '/pricingModel unknown_field', '/isActive unknown_field'],
  ],
  ['a generation', generateBody, { capabilities: 'Stock' }, []],
  ['a generation', generateBody, {}, ['/capabilities required']],
  ['a generation', generateBody, { capabilities: null }, ['/capabilities invalid_type']],
  [
    'a generation',
    generateBody,
    { capabilities: 'Stock', environment: 'Production' },
    ['/environment unknown_field'],
  ],
  [
    'a generation',
    generateBody,
    { capabilities: 'x', clientId: 'a', clientSecret: 'b' },
    [
      '/capabilities invalid_capabilities',
      '/clientId unknown_field',
      '/clientSecret unknown_field',
    ],
  ],
  ['an issue', issueBody('Production'), { environment: 'Production', capabilities: 'Stock' }, []],
  ['an issue', issueBody('Production'), {}, ['/environment required', '/capabilities required']],
  [
    'an issue',
    issueBody('Production'),
    { environment: 'production', capabilities: 'stock' },
    ['/environment not_allowed', '/capabilities invalid_capabilities'],
  ],
  [
    'a token call',
    tokenBody,
    { clientId: 'x'.repeat(256), vendorId: 'x' },
    ['/clientId too_long', '/clientSecret required', '/vendorId unknown_field'],
  ],
  [
    'a token call',
    tokenBody,
    { clientId: ' ', clientSecret: 'x'.repeat(256) },
    ['/clientId required', '/clientSecret too_long'],
  ],
  [
    "an operator's token call",
    operatorTokenBody,
    { operatorId: 5, roles: ['Admin'] },
    ['/operatorId invalid_type', '/operatorSecret required', '/roles unknown_field'],
  ],
  ['an activation', activeBody, { isActive: false }, []],
  ['an activation', activeBody, {}, ['/isActive required']],
  ['an activation', activeBody, { isActive: null }, ['/isActive invalid_type']],
  ['an activation', activeBody, { isActive: 'false' }, ['/isActive invalid_type']],
  ['an activation', activeBody, { isActive: true, name }, ['/name unknown_field']],
])('the body of %s %#: %j → %j', (_of, schema, body, errors) => {
  expect(errorsOf(schema, body)).toEqual(errors);
});

test('capabilities become the order of the specification, and a blank e-mail address null', () => {
  expect(parseBody(generateBody, { capabilities: ' Orders, Offers ,Orders' }).output).toEqual({
    capabilities: ['Offers', 'Orders'],
  });
  expect(parseBody(profileBody, { contactEmail: '' }).output).toEqual({ contactEmail: null });
});
