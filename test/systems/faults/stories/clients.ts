import type { Sql } from '../../../../db/core/client.ts';
import { operatorToken, vendorToken } from '../../../../scripts/demo/api-calls.ts';
import { createApiClient, type ApiClient } from '../../../../scripts/demo/api-client.ts';
import { addCredential, addOperator } from '../../../support/api/actors.ts';

/** Who calls the gateway over HTTP in the stories. */
export type Clients = Awaited<ReturnType<typeof createClients>>;

/** Shorter than a vendor's token lasts, also by a clock that is a minute off. */
const tokenMs = 120_000;

/** Sends a token until it is old or a call fails. */
function withFreshToken(anonymous: ApiClient, fetchToken: () => Promise<string>): ApiClient {
  let token: Promise<string> | null = null;
  let fetchedAt = 0;
  const client = anonymous.withToken(() => {
    if (token === null || performance.now() - fetchedAt > tokenMs) {
      fetchedAt = performance.now();
      token = fetchToken();
    }
    return token;
  });
  const forget = (error: unknown): never => {
    token = null;
    throw error;
  };
  return {
    ...client,
    call: async (...args) => {
      const response = await client.call(...args).catch(forget);
      if (response.status === 401) token = null;
      return response;
    },
    expect: (...args) => client.expect(...args).catch(forget),
  };
}

/** Gives the gateway an operator, who may do everything. */
export async function createClients(sql: Sql, apiUrl: string) {
  const anonymous = createApiClient(apiUrl);
  const { operatorId, operatorSecret } = await addOperator(sql);
  const logIn = { operatorId, operatorSecret };
  return {
    operator: withFreshToken(anonymous, () => operatorToken(anonymous, logIn)),
    /** Gives a vendor a credential and returns its client. */
    vendor: async (vendorId: string) => {
      const credential = await addCredential(sql, vendorId, { environment: 'Sandbox' });
      return withFreshToken(anonymous, () => vendorToken(anonymous, credential));
    },
  };
}
