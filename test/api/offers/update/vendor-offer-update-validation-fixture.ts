import { expect } from 'vitest';
import { newBench, recordOf, type Bench } from '../offer-fixture.ts';
import { fieldErrorsOf, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway-test.ts';

/** What helpers need of a test's fixtures. */
export type Fixtures = { readonly gateway: Gateway; readonly bench: Bench; readonly id: string };

export const test = gatewayTest
  .extend('bench', { scope: 'file' }, ({ gateway }) => newBench(gateway))
  .extend('id', { scope: 'file' }, ({ bench }) =>
    bench.create({ said: { vendorSku: 'SKU', declaredStockQuantity: 5 } }),
  );

/** Expects a 400 that names exactly these, as `field code`, and that nothing was stored. */
export async function expectRefused(
  { gateway, bench, id }: Pick<Fixtures, 'gateway' | 'bench' | 'id'>,
  body: unknown,
  errors: readonly string[],
): Promise<void> {
  const before = await recordOf(gateway, id);
  const answer = await bench.patch(id, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
}
