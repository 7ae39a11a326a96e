import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { walkRoutes } from '../../support/api/walk.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** A listening gateway, and `targets`: every operation of both documents, with valid tokens. */
export const fuzzTest = gatewayTest.extend('targets', { scope: 'file' }, async ({ gateway }) => {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const vendorToken = tokenWith(gateway, await newVendor(gateway), capabilities);
  const { token: operatorToken } = await newOperator(gateway);
  const routes = await walkRoutes(gateway, unknownId());
  return routes.map((route) => ({
    ...route,
    token: route.isOperators ? operatorToken : vendorToken,
    otherToken: route.isOperators ? vendorToken : operatorToken,
  }));
});
