import { expect } from 'vitest';
import { vendorSchema } from '../../../clients/typescript/generate/vendor-schema.ts';
import { errorCodes } from '../../../clients/typescript/src/core/error-details.ts';
import { classifiedOperations } from '../../../clients/typescript/src/core/repeatable.ts';
import { vendorSide } from '../../../api/reference/sides.ts';
import { errorCatalogue } from '../../../domain/errors.ts';
import { readReference } from '../../api/support/openapi-document.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

// `npm run client:types` writes the file. It is committed, so that a clone has all types without a
// build, and a change of the document shows what it means for clients.
test("the client's types are those of the gateway's document", async ({ gateway }) => {
  const { document } = await readReference(gateway.app, vendorSide);
  await expect(await vendorSchema(document)).toMatchFileSnapshot(
    '../../../clients/typescript/src/schema.ts',
  );
});

test('knows whether it may repeat each POST and PATCH', async ({ gateway }) => {
  const { operations } = await readReference(gateway.app, vendorSide);
  const writes = operations
    .filter(({ method, path }) => ['POST', 'PATCH'].includes(method) && path.startsWith('/api/v1/'))
    .map(({ at }) => at);
  expect(new Set(classifiedOperations)).toEqual(new Set(writes));
});

test("the client knows every code of the gateway that is not operators' alone", () => {
  const ofOperators = [
    'NOT_FOUND_VENDOR',
    'NOT_FOUND_VARIANT',
    'NOT_FOUND_ORDER',
    'NOT_FOUND_OPERATOR',
    'CONFLICT_VERSION',
    'BUSINESS_OFFER_PRICE_REQUIRED',
    'BUSINESS_OFFER_NO_PENDING_PRICE',
    'BUSINESS_RETURN_QUANTITY_EXCEEDED',
    'BUSINESS_OPERATOR_LAST_ADMIN',
  ];
  expect(new Set([...errorCodes, ...ofOperators])).toEqual(new Set(Object.keys(errorCatalogue)));
});
