import * as v from 'valibot';
import {
  createdCredentialResponse,
  credentialResponse,
} from '../../api/accounts/responses/credential.ts';
import { pageOf } from '../../api/http/envelope.ts';
import { vendorToken } from './api-calls.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';

const path = '/api/v1/credentials';

/** The vendor creates a credential for stock only, which cannot do more, and deletes it. */
export async function manageCredentials({
  vendor,
  anonymous,
  environment,
  step,
}: DemoContext): Promise<void> {
  const headers = { 'x-service-environment': environment };
  step('The vendor creates a credential for its warehouse, with the capability Stock only');
  const credential = await vendor.expect(`POST ${path}`, createdCredentialResponse, {
    body: { capabilities: 'Stock' },
    headers,
    status: 201,
    values: { capabilities: 'Stock' },
  });
  const token = await vendorToken(anonymous, credential);
  const warehouse = anonymous.withToken(() => token);

  step(
    'Its token reads offers; the gateway refuses the rest, also a credential with more ' +
      'capabilities',
  );
  await warehouse.expect('GET /api/v1/scent/offers?pageSize=1', v.unknown());
  const refusal = '403 FORBIDDEN_CAPABILITY_NOT_GRANTED';
  await warehouse.expectRefusal('GET /api/v1/webhooks', refusal);
  const body = { capabilities: 'Orders' };
  await warehouse.expectRefusal(`POST ${path}`, refusal, { body, headers });

  step('The warehouse closes: the vendor deactivates the credential and deletes it');
  const { id, clientId, clientSecret } = credential;
  await vendor.expect(`PATCH ${path}/${id}/active`, v.unknown(), { body: { isActive: false } });
  await anonymous.expectRefusal('POST /api/v1/auth/token', '401 UNAUTHORIZED_INVALID_CREDENTIALS', {
    body: { clientId, clientSecret },
  });
  await vendor.expect(`DELETE ${path}/${id}`, v.unknown());
  const { items } = await vendor.expect(`GET ${path}`, pageOf(credentialResponse), { headers });
  expect(
    items.every((item) => item.id !== id),
    'the list does not have the deleted credential',
  );
}
