import { expect } from 'vitest';
import { call, fieldErrorsOf } from '../../support/api.ts';
import { test, expectRefused } from './vendor-offer-update-validation-fixture.ts';

test('every failing field is listed, unknown ones too, each with its pointer and message', async ({
  fixture,
  id,
}) => {
  const body = {
    cost: 5,
    rawSizeMl: 0,
    barcode: 'x',
    vendorSku: 5,
    salePrice: 5,
    extra: 1,
    'a/b': 2,
  };
  const answer = await fixture.patch(id, body);
  expect(fieldErrorsOf(answer)).toEqual([
    'A/b unknown_field',
    'Barcode invalid_barcode',
    'CostIsVatInclusive required',
    'Extra unknown_field',
    'RawSizeMl too_small',
    'SalePriceIsVatInclusive required',
    'VendorSku invalid_type',
  ]);
  const errors = answer.details['errors'] as { field: string; path: string; message: string }[];
  expect(errors.find(({ field }) => field === 'Barcode')?.path).toBe('/barcode');
  expect(errors.find(({ field }) => field === 'A/b')?.path).toBe('/a~1b');
  for (const { message } of errors) expect(message).toMatch(/\w/);
});

test.for(['[]', 'null', '"x"', '5', 'true', '[{}]'])(
  'the JSON %s is no body',
  async (body, { gateway, fixture, id }) => {
    await expectRefused({ gateway, fixture, id }, body, ['Body invalid_type']);
  },
);

test.for(['{', '{"vendorSku":"a"', "{'a':1}", 'x', '{"cost":01}', '{"cost":.5}'])(
  '%s is no JSON',
  async (body, { gateway, fixture, id }) => {
    await expectRefused({ gateway, fixture, id }, body, ['Body malformed']);
  },
);

test('keys of the language itself are unknown fields like any other', async ({
  gateway,
  fixture,
  id,
}) => {
  await expectRefused({ gateway, fixture, id }, '{"__proto__":{"vendorSku":"x"}}', [
    '__proto__ unknown_field',
  ]);
  await expectRefused({ gateway, fixture, id }, '{"constructor":1,"toString":1}', [
    'Constructor unknown_field',
    'ToString unknown_field',
  ]);
});

test('another media type, or none, is 415 before anything of the body is looked at', async ({
  gateway,
  fixture,
  id,
}) => {
  const { token } = fixture.vendor;
  for (const type of [
    'text/plain',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
  ]) {
    const headers = { 'content-type': type };
    const answer = await call(gateway, 'PATCH', `/api/v1/scent/offers/${id}`, {
      token,
      body: '{',
      headers,
    });
    expect(answer).toMatchObject({ status: 415, state: 'UNSUPPORTED_MEDIA_TYPE' });
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const url = `/api/v1/scent/offers/${id}`;
  expect((await call(gateway, 'PATCH', url, { token, body: {}, headers })).status).toBe(200);
});

test('a query parameter is refused by its name', async ({ fixture, id }) => {
  const answer = await fixture.send('PATCH', `/${id}?dryRun=true`, {});
  expect(answer).toMatchObject({
    status: 400,
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['validateOnly'] },
  });
});
