import * as v from 'valibot';
import type { ApiClient } from './api-client.ts';
import { createdOrder } from './schemas/fulfilment-schemas.ts';

/** Calls that more than one part of the demo and of the contract tests makes. */

export const withId = v.object({ id: v.string() });
const tokenSchema = v.object({ accessToken: v.string() });
const credentialSchema = v.object({
  id: v.string(),
  clientId: v.string(),
  clientSecret: v.string(),
});

/** Exchanges a vendor's credential for a token. */
export const vendorToken = async (
  anonymous: ApiClient,
  { clientId, clientSecret }: Omit<v.InferOutput<typeof credentialSchema>, 'id'>,
): Promise<string> => {
  const body = { clientId, clientSecret };
  return (await anonymous.expect('POST /api/v1/auth/token', tokenSchema, { body })).accessToken;
};

export const operatorToken = async (anonymous: ApiClient, body: object): Promise<string> =>
  (await anonymous.expect('POST /operator/v1/auth/token', tokenSchema, { body })).accessToken;

/** Adds a vendor with an agreement and returns its id. */
export async function addVendor(operator: ApiClient, name: string, agreement: object) {
  const body = { name, ...agreement };
  return (await operator.expect('POST /operator/v1/vendors', withId, { body, status: 201 })).id;
}

/** Issues a credential with every capability. */
export function issueCredential(operator: ApiClient, vendorId: string) {
  const capabilities = 'Offers, Stock, Cost, Orders, Account';
  return operator.expect(`POST /operator/v1/vendors/${vendorId}/credentials`, credentialSchema, {
    body: { environment: 'Production', capabilities },
    status: 201,
  });
}

/** Adds a catalog variant and returns its id. */
export async function addVariant(operator: ApiClient, sku: string): Promise<string> {
  const body = {
    sku,
    brandName: 'Maison Dahab',
    productName: 'Oud 50',
    barcode: '4006381333931',
  };
  return (await operator.expect('POST /operator/v1/variants', withId, { body, status: 201 })).id;
}

/** Creates an order of these fulfilment groups. */
export function createOrder(operator: ApiClient, groups: readonly object[]) {
  const shipTo = {
    recipient: 'Noura A.',
    line1: '12 Olaya Street',
    city: 'Riyadh',
    country: 'SA',
    phone: '+966500000000',
  };
  const body = { shipTo, groups };
  return operator.expect('POST /operator/v1/orders', createdOrder, { body, status: 201 });
}
