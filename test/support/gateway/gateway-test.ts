import { test } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { startGateway } from '../api/api.ts';

const none: Partial<Dependencies> = {};

/**
 * Gives a file a `gateway`: the API over a database of its own, without Temporal. A file that
 * needs other dependencies extends `overrides`.
 */
export const gatewayTest = test
  .extend('overrides', { scope: 'file' }, none)
  .extend('gateway', { scope: 'file' }, async ({ overrides }, { onCleanup }) => {
    const gateway = await startGateway(overrides);
    onCleanup(() => gateway.close());
    return gateway;
  });
