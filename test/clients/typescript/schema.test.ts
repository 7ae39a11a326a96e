import { expect } from 'vitest';
import { vendorErrors, vendorSchema } from '../../../clients/typescript/generate/vendor-schema.ts';
import { classifiedOperations } from '../../../clients/typescript/src/core/repeatable.ts';
import { vendorSide } from '../../../api/reference/api-sides.ts';
import { errorCatalogue } from '../../../domain/errors.ts';
import { detailsByCode } from '../../support/api/details-by-code.ts';
import { child, readReference } from '../../support/api/openapi-document.ts';
import { isNode, type SchemaNode } from '../../../api/reference/schema-nodes.ts';
import { environmentsTest as test } from '../../support/gateway/gateway-test.ts';

// A sandbox has every route of Production too.

/** Both documents as one. Production's comes second, because both have the header's values. */
const merged = (one: SchemaNode, other: SchemaNode, depth = 2): SchemaNode => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, value]) => {
      const { [key]: known } = one;
      return [
        key,
        depth > 0 && isNode(known) && isNode(value) ? merged(known, value, depth - 1) : value,
      ];
    }),
  ),
});

// `npm run client:types` writes the files. They are committed, so that a clone has all types
// without a build, and a change of the document shows what it means for clients.
test('has the types and the error codes of the gateway’s documents', async ({
  gateways: { Production, Sandbox },
}) => {
  const { document: ofSandbox } = await readReference(Sandbox.app, vendorSide);
  const { document: ofProduction } = await readReference(Production.app, vendorSide);
  // Only a sandbox's errors have every detail.
  const ErrorDetails = child(ofSandbox, 'components', 'schemas', 'ErrorDetails');
  const document = merged(merged(ofSandbox, ofProduction), {
    components: { schemas: { ErrorDetails } },
  });
  await expect(await vendorSchema(document)).toMatchFileSnapshot(
    '../../../clients/typescript/src/schema.ts',
  );
  await expect(
    vendorErrors(document, Object.keys(errorCatalogue), detailsByCode),
  ).toMatchFileSnapshot('../../../clients/typescript/src/core/error-details.ts');
});

test('knows whether it may repeat each POST and PATCH', async ({ gateways: { Sandbox } }) => {
  const { operations } = await readReference(Sandbox.app, vendorSide);
  const writes = operations
    .filter(({ method, path }) => ['POST', 'PATCH'].includes(method) && path.startsWith('/api/v1/'))
    .map(({ at }) => at);
  expect(new Set(classifiedOperations)).toEqual(new Set(writes));
});
