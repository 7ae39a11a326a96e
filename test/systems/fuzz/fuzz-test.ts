import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** A gateway, and `targets`: every operation of both documents, with a valid token. */
export const fuzzTest = gatewayTest.extend('targets', { scope: 'file' }, async ({ gateway }) => {
  const vendorToken = tokenWith(gateway, await newVendor(gateway), capabilities);
  const { token: operatorToken } = await newOperator(gateway);
  const routes = await walkRoutes(gateway, unknownId());
  return routes.map((route) => {
    const token = route.isOperators ? operatorToken : vendorToken;
    return { ...route, token };
  });
});
