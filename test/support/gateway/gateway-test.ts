import { test } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { newOperator, newVendor } from '../api/actors.ts';
import { call, startGateway, type Call, type Method } from '../api/api.ts';

const none: Partial<Dependencies> = {};

/** Gives a file `gateways`: the API of each environment over a database of its own. */
export const environmentsTest = test.extend(
  'gateways',
  { scope: 'file' },
  async ({}, { onCleanup }) => {
    const Production = await startGateway();
    const Sandbox = await startGateway({ environment: 'Sandbox' });
    onCleanup(async () => {
      await Production.close();
      await Sandbox.close();
    });
    return { Production, Sandbox };
  },
);

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
  })
  /** A token of a vendor, with all capabilities. */
  .extend('token', { scope: 'file' }, async ({ gateway }) => (await newVendor(gateway)).token)
  .extend('adminAccount', { scope: 'file' }, ({ gateway }) => newOperator(gateway))
  /** A call below `/operator/v1` of an operator with the role Admin. */
  .extend(
    'operate',
    { scope: 'file' },
    ({ gateway, adminAccount: { token } }) =>
      (method: Method, path: string, body?: unknown, headers: Call['headers'] = {}) =>
        call(gateway, method, `/operator/v1${path}`, { token, body, headers }),
  );
