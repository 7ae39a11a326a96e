import { expect } from 'vitest';
import { newOfferFixture, recordOf, type OfferFixture } from '../offer-fixture.ts';
import { fieldErrorsOf, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

/** What helpers need of a test's fixtures. */
export type Fixtures = {
  readonly gateway: Gateway;
  readonly fixture: OfferFixture;
  readonly id: string;
};

export const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newOfferFixture(gateway))
  .extend('id', { scope: 'file' }, ({ fixture }) =>
    fixture.create({ said: { vendorSku: 'SKU', declaredStockQuantity: 5 } }),
  );

/** Expects a 400 that names exactly these, as `field code`, and that nothing was stored. */
export async function expectRefused(
  { gateway, fixture, id }: Pick<Fixtures, 'gateway' | 'fixture' | 'id'>,
  body: unknown,
  errors: readonly string[],
): Promise<void> {
  const before = await recordOf(gateway, id);
  const answer = await fixture.patch(id, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
}
