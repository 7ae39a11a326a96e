import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { addCredential, newVendor, tokenWith } from '../../../support/api/actors.ts';
import {
  call,
  textOf,
  type ApiResponse,
  type Gateway,
  type Method,
} from '../../../support/api/api.ts';
import { instant, uuid } from '../../../support/api/matchers.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

/** What the list and the generation ask for (D52). */
export const inProduction = { 'x-service-environment': 'Production' } as const;

export const yesterday = (): Date => new Date(Date.now() - 24 * 3_600_000);

type KnownSecret = { readonly clientId: string; readonly clientSecret: string };

/** What the token route answers to a credential. */
export const askToken = (
  gateway: Pick<Gateway, 'app'>,
  { clientId, clientSecret }: KnownSecret,
): Promise<ApiResponse> =>
  call(gateway, 'POST', '/api/v1/auth/token', { body: { clientId, clientSecret } });

/** What a response shows this one time. */
export const secretOf = (made: ApiResponse): KnownSecret => ({
  clientId: textOf(made, 'clientId'),
  clientSecret: textOf(made, 'clientSecret'),
});

export const tokenOf = async (gateway: Pick<Gateway, 'app'>, known: KnownSecret) =>
  textOf(await askToken(gateway, known), 'accessToken');

/**
 * Checks a new credential's response: 201, a secret, and a year until it expires; returns the rest.
 */
export function expectCreated(made: ApiResponse, capabilitiesOfIt: string) {
  expect(made).toMatchObject({ status: 201, state: 'SUCCESS', details: {} });
  const { clientSecret, ...shown } = made.payload ?? {};
  // 256 bits behind a readable prefix (D11).
  expect(clientSecret).toMatch(/^vs_[\w-]{43}$/);
  expect(shown).toStrictEqual({ ...credentialForm, capabilities: capabilitiesOfIt });
  const lifeMs = Date.parse(textOf(made, 'expirationDate')) - Date.parse(textOf(made, 'createdAt'));
  expect(Math.round(lifeMs / 86_400_000)).toBe(365);
  return shown;
}
/** An active credential as the routes show it, without its capabilities. */
export const credentialForm = {
  id: uuid,
  environment: 'Production',
  clientId: expect.stringMatching(/^vc_[\w-]{20,}$/) as unknown,
  expirationDate: instant,
  isActive: true,
  createdAt: instant,
};

export type CredentialFixture = Awaited<ReturnType<typeof newCredentialFixture>>;

/**
 * A vendor with one credential, and its calls of the credential routes. Its token has Account only,
 * because the capabilities of the credentials decide what it may grant.
 */
export async function newCredentialFixture(
  gateway: Gateway,
  granted: readonly Capability[] = capabilities,
) {
  const { sql } = gateway;
  const vendor = await newVendor(gateway, { capabilities: granted });
  const { vendorId } = vendor;
  const account = tokenWith(gateway, vendor, ['Account']);
  const send = (method: Method, path: string, token: string, body?: unknown) =>
    call(gateway, method, `/api/v1/credentials${path}`, { token, headers: inProduction, body });
  return {
    vendor,
    list: (query = '') => send('GET', query, account),
    generate: (wanted: string, token = account) =>
      send('POST', '', token, { capabilities: wanted }),
    remove: (id: string, token = account) => send('DELETE', `/${id}`, token),
    setActive: (id: string, isActive: boolean, token = account) =>
      send('PATCH', `/${id}/active`, token, { isActive }),
    /** Stores another credential of the vendor, without the checks of a route. */
    add: (own: readonly Capability[], given: Parameters<typeof addCredential>[2] = {}) =>
      addCredential(sql, vendorId, { capabilities: own, ...given }),
    /** Every credential of the vendor as it is stored, the oldest first. */
    rows: () => sql<{ id: string; capabilities: readonly Capability[]; isActive: boolean }[]>`
      select id, environment, client_id, capabilities, is_active from credentials
      where vendor_id = ${vendorId} order by created_at, id`,
  };
}

/** Gives each test a vendor with its credentials. */
export const credentialTest = gatewayTest.extend('fixture', ({ gateway }) =>
  newCredentialFixture(gateway),
);
