import { vendorSide } from '../../../api/reference/api-sides.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { startGateway } from '../../support/api/api.ts';
import {
  readReference,
  readReferences,
  type Reference,
} from '../../support/api/openapi-document.ts';

/**
 * Gives a file the documents of Production, and the document of a sandbox, which has more
 * operations.
 */
export const documentTest = gatewayTest
  .extend('sandbox', { scope: 'file' }, async ({}, { onCleanup }) => {
    const sandbox = await startGateway({ environment: 'Sandbox' });
    onCleanup(() => sandbox.close());
    return sandbox;
  })
  .extend(
    'references',
    { scope: 'file' },
    async ({ gateway, sandbox }): Promise<readonly [Reference, Reference, Reference]> => {
      const [vendors, operators] = await readReferences(gateway.app);
      return [vendors, operators, await readReference(sandbox.app, vendorSide)];
    },
  );
