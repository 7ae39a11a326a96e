import { afterAll, beforeAll, expect, test } from 'vitest';
import { vendorSide } from '../../../api/reference/sides.ts';
import { environments, type Environment } from '../../../domain/accounts/credentials.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  startGateway,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { readReference } from '../../support/api/openapi-document.ts';

// One environment for each installation (D130).

const gateways: Partial<Record<Environment, Gateway>> = {};
const gatewayOf = (environment: Environment): Gateway => {
  const gateway = gateways[environment];
  if (gateway === undefined) throw new Error(`no ${environment}`);
  return gateway;
};
const otherThan = (environment: Environment): Environment =>
  environment === 'Production' ? 'Sandbox' : 'Production';

beforeAll(async () => {
  for (const environment of environments)
    gateways[environment] = await startGateway({ environment });
});
afterAll(async () => {
  await Promise.all(Object.values(gateways).map((gateway) => gateway.close()));
});

const sandboxPaths = async (gateway: Gateway): Promise<readonly string[]> => {
  const { operations } = await readReference(gateway.app, vendorSide);
  return operations.map(({ at }) => at).filter((at) => at.includes('/sandbox'));
};

test('Production has none of the routes and documents of a sandbox', async () => {
  const production = gatewayOf('Production');
  const { token } = await newVendor(production);
  expect(await sandboxPaths(production)).toEqual([]);
  const { document } = await readReference(production.app, vendorSide);
  expect(JSON.stringify(document)).not.toMatch(/"name":"Sandbox"|\/sandbox\//);
  const paths = await sandboxPaths(gatewayOf('Sandbox'));
  expect(paths).toContain('PUT /api/v1/sandbox/agreement');
  for (const at of [...paths, 'GET /api/v1/sandbox', 'POST /api/v1/sandbox/anything']) {
    const [method = '', url = ''] = at.split(' ');
    for (const given of [token, undefined])
      expect(await call(production, method as Method, url, { token: given })).toMatchObject({
        status: 404,
        state: 'NOT_FOUND_ROUTE',
      });
  }
});

test.for(environments)('%s is the only value of X-Service-Environment there', async (own) => {
  const gateway = gatewayOf(own);
  const { token, credentialId } = await newVendor(gateway);
  const list = (value: string) =>
    call(gateway, 'GET', '/api/v1/credentials', {
      token,
      headers: { 'x-service-environment': value },
    });
  expect((await list(own)).payload).toMatchObject({
    items: [{ id: credentialId, environment: own }],
  });
  const refused = await list(otherThan(own));
  expect(refused).toMatchObject({ status: 400, details: { allowedValues: [own] } });
  expect(fieldErrorsOf(refused)).toEqual(['X-Service-Environment not_allowed']);
});

test.for(environments)("%s refuses the other environment's tokens and credentials", async (own) => {
  const gateway = gatewayOf(own);
  const foreign = gatewayOf(otherThan(own));
  const { token } = await newVendor(foreign);
  expect(await call(gateway, 'GET', '/api/v1/scent/offers', { token })).toMatchObject({
    status: 401,
    state: 'UNAUTHORIZED_INVALID_TOKEN',
  });
  // As in a database that was copied from the other environment.
  const { dependencies } = foreign;
  const { clientId, clientSecret } = await newVendor({ sql: gateway.sql, dependencies });
  expect(
    await call(gateway, 'POST', '/api/v1/auth/token', { body: { clientId, clientSecret } }),
  ).toMatchObject({ status: 401, state: 'UNAUTHORIZED_INVALID_CREDENTIALS' });
});

test.for(environments)('an operator of %s issues credentials of it only', async (own) => {
  const gateway = gatewayOf(own);
  const { vendorId } = await newVendor(gateway);
  const { token } = await newOperator(gateway);
  const issue = (environment: Environment) =>
    call(gateway, 'POST', `/operator/v1/vendors/${vendorId}/credentials`, {
      token,
      body: { environment, capabilities: 'Stock' },
    });
  expect(await issue(own)).toMatchObject({ status: 201, payload: { environment: own } });
  expect(fieldErrorsOf(await issue(otherThan(own)))).toEqual(['Environment not_allowed']);
});
