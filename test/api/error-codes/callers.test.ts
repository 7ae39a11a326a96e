import type { ErrorCode } from '../../../domain/errors.ts';
import { newOperator, newVendor, tokenWith } from '../support/actors.ts';
import { craftToken, goodClaims } from '../auth/craft-token.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
/** 401 and 403: who calls, and what they may. What a dependency refuses us is in faults.test.ts. */

const challenge = { 'www-authenticate': 'Bearer realm="vendor-gateway"' };
const credentials = '/api/v1/credentials';
const webhooks = '/api/v1/webhooks';
const tokens = '/api/v1/auth/token';

test('UNAUTHORIZED_INVALID_CREDENTIALS: an unknown client is answered like a wrong secret', async ({
  gateway,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  for (const body of [
    { clientId, clientSecret: `${clientSecret}x` },
    { clientId: 'vc_unknown', clientSecret },
  ]) {
    const answer = await ask(gateway, 'POST', tokens, { body });
    expectRefusal(answer, 401, 'UNAUTHORIZED_INVALID_CREDENTIALS', {}, challenge);
  }
});

test('UNAUTHORIZED_VENDOR_INACTIVE: the right secret of an inactive vendor gets no token', async ({
  gateway,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway, { isActive: false });
  const answer = await ask(gateway, 'POST', tokens, { body: { clientId, clientSecret } });
  expectRefusal(answer, 401, 'UNAUTHORIZED_VENDOR_INACTIVE', {}, challenge);
});

test.for<readonly [ErrorCode, string | undefined]>([
  ['UNAUTHORIZED_MISSING_TOKEN', undefined],
  ['UNAUTHORIZED_INVALID_TOKEN', 'a.b.c'],
  ['UNAUTHORIZED_TOKEN_EXPIRED', craftToken(goodClaims({ iat: -400, exp: -100 }))],
])('%s: a call with the token %s', async ([code, token], { gateway }) => {
  expectRefusal(await ask(gateway, 'GET', webhooks, { token }), 401, code, {}, challenge);
});

test('FORBIDDEN: an operator without the role gets the name of the required role', async ({
  gateway,
}) => {
  const { token } = await newOperator(gateway, ['Reviewer']);
  const answer = await ask(gateway, 'POST', '/operator/v1/vendors', { token, body: {} });
  expectRefusal(answer, 403, 'FORBIDDEN', { requiredRole: 'Admin' });
});

test('FORBIDDEN_CAPABILITY_NOT_GRANTED: a type without its capability: both are named', async ({
  gateway,
}) => {
  const token = tokenWith(gateway, await newVendor(gateway), ['Orders']);
  const body = { url: 'https://vendor.example.org/', eventTypes: ['vendor.offer.review-decision'] };
  const answer = await ask(gateway, 'POST', webhooks, { token, body });
  expectRefusal(answer, 403, 'FORBIDDEN_CAPABILITY_NOT_GRANTED', {
    requiredCapability: 'Offers',
    eventType: 'vendor.offer.review-decision',
  });
});

test('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR: no grant goes beyond the union rule', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway, { capabilities: ['Account', 'Offers'] });
  const body = { capabilities: 'Offers, Cost' };
  const answer = await ask(gateway, 'POST', credentials, { token, body, headers: inProduction });
  expectRefusal(answer, 403, 'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld: ['Cost'] });
});
