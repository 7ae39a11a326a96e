import * as v from 'valibot';
import { createdCredentialResponse } from '../../api/accounts/responses/credential.ts';
import { tokenResponse } from '../../api/auth/token-routes.ts';
import { createdOrderResponse } from '../../api/orders/responses/operator-group.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import type { ApiClient } from './api-client.ts';

/** Calls that more than one part of the demo and of the contract tests makes. */

export const withId = v.object({ id: v.string() });
/** Exchanges a vendor's credential for a token. */
export const vendorToken = async (
  anonymous: ApiClient,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> => {
  const body = { clientId, clientSecret };
  return (await anonymous.expect('POST /api/v1/auth/token', tokenResponse, { body })).accessToken;
};

export const operatorToken = async (anonymous: ApiClient, body: object): Promise<string> =>
  (await anonymous.expect('POST /operator/v1/auth/token', tokenResponse, { body })).accessToken;

/** Adds a vendor with an agreement and returns its id. */
export async function addVendor(operator: ApiClient, name: string, agreement: object) {
  const body = { name, ...agreement };
  return (await operator.expect('POST /operator/v1/vendors', withId, { body, status: 201 })).id;
}

/** Issues a credential with every capability. */
export function issueCredential(
  operator: ApiClient,
  vendorId: string,
  environment: Environment = 'Production',
) {
  const request = `POST /operator/v1/vendors/${vendorId}/credentials`;
  const body = { environment, capabilities: 'Offers, Stock, Cost, Orders, Account' };
  return operator.expect(request, createdCredentialResponse, { body, status: 201 });
}

/** Adds a catalogue variant and returns its id. */
export async function addVariant(operator: ApiClient, sku: string): Promise<string> {
  const product = { brandName: 'Maison Dahab', productName: 'Oud 50', barcode: '4006381333931' };
  const body = { sku, ...product };
  return (await operator.expect('POST /operator/v1/variants', withId, { body, status: 201 })).id;
}

/** The delivery address of an order. */
export const shipTo = {
  recipient: 'Noura A.',
  line1: '12 Olaya Street',
  city: 'Riyadh',
  country: 'SA',
  phone: '+966500000000',
};

/** Creates an order of these fulfilment groups. */
export function createOrder(operator: ApiClient, groups: readonly object[]) {
  const body = { shipTo, groups };
  return operator.expect('POST /operator/v1/orders', createdOrderResponse, { body, status: 201 });
}
