import {
  freeFormOffer,
  newOperator,
  newVendor,
  type TestOperator,
  type TestVendor,
} from '../../support/actors.ts';
import { call, textOf, type Answer, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { bodyOfDecision } from '../../support/review-version.ts';

/** A reviewer for the file, and a vendor for each test. */
export const reviewTest = gatewayTest
  .extend('reviewer', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Reviewer']))
  .extend('vendor', ({ gateway }) => newVendor(gateway));

/** Creates an offer as `by` and returns its id. */
export const submit = async (
  gateway: Gateway,
  vendor: TestVendor,
  given: Record<string, unknown> = {},
  by = vendor,
) => {
  const body = { ...freeFormOffer, ...given };
  return textOf(
    await call(gateway, 'POST', '/api/v1/scent/offers', { token: by.token, body }),
    'id',
  );
};

/** An approval without `expectedVersion` expects the present one. */
export const decide = async (
  gateway: Gateway,
  reviewer: TestOperator,
  id: string,
  action: 'approve' | 'reject',
  body?: unknown,
): Promise<Answer> => {
  const { token } = reviewer;
  const url = `/operator/v1/offers/${id}/${action}`;
  const sent = await bodyOfDecision(gateway, token, url, body);
  return call(gateway, 'POST', url, { token, body: sent, headers: { 'x-request-id': 'req-7' } });
};
