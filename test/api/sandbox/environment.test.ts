import { expect } from 'vitest';
import { vendorSide } from '../../../api/reference/api-sides.ts';
import { environments, type Environment } from '../../../domain/accounts/credentials.ts';
import { browserOf } from '../../console/console-fixture.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, refusal, type Gateway, type Method } from '../../support/api/api.ts';
import { environmentsTest as test } from '../../support/gateway/gateway-test.ts';
import { readReference } from '../../support/api/openapi-document.ts';

// One environment for each installation (D130).

const otherThan = (environment: Environment): Environment =>
  environment === 'Production' ? 'Sandbox' : 'Production';

const sandboxPaths = async ({ app }: Gateway): Promise<readonly string[]> => {
  const { operations } = await readReference(app, vendorSide);
  return operations.map(({ at }) => at).filter((at) => at.includes('/sandbox'));
};

test('has no route and no document of a sandbox in Production', async ({ gateways }) => {
  const { Production: production, Sandbox: sandbox } = gateways;
  const { token } = await newVendor(production);
  expect(await sandboxPaths(production)).toEqual([]);
  const { document } = await readReference(production.app, vendorSide);
  expect(JSON.stringify(document)).not.toMatch(/"name":"Sandbox"|\/sandbox\//);
  const paths = await sandboxPaths(sandbox);
  expect(paths).toContain('PUT /api/v1/sandbox/agreement');
  for (const at of [...paths, 'GET /api/v1/sandbox', 'POST /api/v1/sandbox/anything']) {
    const [method = '', url = ''] = at.split(' ');
    for (const given of [token, undefined])
      expect(await call(production, method as Method, url, { token: given })).toMatchObject(
        refusal('NOT_FOUND_ROUTE'),
      );
  }
});

test.for(environments)(
  'accepts in %s credentials and headers of that environment only',
  async (own, { gateways }) => {
    const gateway = gateways[own];
    const { token, vendorId, credentialId } = await newVendor(gateway);
    const list = (environment: Environment) => {
      const headers = { 'x-service-environment': environment };
      return call(gateway, 'GET', '/api/v1/credentials', { token, headers });
    };
    const items = [{ id: credentialId, environment: own }];
    expect((await list(own)).payload).toMatchObject({ items });
    const refused = await list(otherThan(own));
    expect(refused).toMatchObject({ status: 400, details: { allowedValues: [own] } });
    expect(fieldErrorsOf(refused)).toEqual(['X-Service-Environment not_allowed']);
    const staff = await newOperator(gateway);
    const issue = (environment: Environment) =>
      call(gateway, 'POST', `/operator/v1/vendors/${vendorId}/credentials`, {
        token: staff.token,
        body: { environment, capabilities: 'Stock' },
      });
    expect(await issue(own)).toMatchObject({ status: 201, payload: { environment: own } });
    expect(fieldErrorsOf(await issue(otherThan(own)))).toEqual(['Environment not_allowed']);
    const browser = await browserOf(gateway, 'Admin');
    const page = `/console/vendors/${vendorId}/credentials`;
    const { body } = await browser.submit(page, { capabilities: 'Stock' });
    expect(body).toContain('clientSecret');
  },
);

test.for(environments)(
  "refuses in %s the other environment's tokens and credentials",
  async (own, { gateways }) => {
    const [gateway, foreign] = [gateways[own], gateways[otherThan(own)]];
    const { token } = await newVendor(foreign);
    expect(await call(gateway, 'GET', '/api/v1/scent/offers', { token })).toMatchObject(
      refusal('UNAUTHORIZED_INVALID_TOKEN'),
    );
    // As in a database that was copied from the other environment.
    const { dependencies } = foreign;
    const { clientId, clientSecret } = await newVendor({ sql: gateway.sql, dependencies });
    const body = { clientId, clientSecret };
    expect(await call(gateway, 'POST', '/api/v1/auth/token', { body })).toMatchObject(
      refusal('UNAUTHORIZED_INVALID_CREDENTIALS'),
    );
  },
);
