import * as v from 'valibot';
import { createCaller, payloadOf, type Caller } from '../demo/caller.ts';
import { withId } from '../demo/forms.ts';
import type { Call } from '../demo/stage.ts';
import type { Running } from '../running.ts';

const token = v.object({ accessToken: v.string() });
const credential = v.object({ id: v.string(), clientId: v.string(), clientSecret: v.string() });
const allCapabilities = {
  environment: 'Production',
  capabilities: 'Offers, Stock, Cost, Orders, Account',
};
/** Operators' tokens live for 15 minutes: one is used for this long. */
const operatorTokenMs = 600_000;

/** Those who call the gateway besides Schemathesis: the operator, and vendors that the operator makes. */
export type Actors = {
  readonly asOperator: Call;
  readonly operatorToken: () => Promise<string>;
  /** A new vendor under Model 1 or 2. */
  readonly addVendor: (name: string, agreement: object) => Promise<string>;
  readonly issueCredential: (vendorId: string) => Promise<v.InferOutput<typeof credential>>;
  /** A vendor's token, each by a credential of its own: none that a generated call has deleted or switched off. */
  readonly vendorToken: (vendorId: string) => Promise<string>;
  readonly callAs: (accessToken: string) => Call;
};

export function createActors({ apiUrl, operator }: Running): Actors {
  const api = createCaller(apiUrl, () => undefined);
  const operatorToken = keptFor(operatorTokenMs, () =>
    login(api, '/operator/v1/auth/token', operator),
  );
  const asOperator: Call = async (method, path, body) =>
    api.call(method, path, body, { token: await operatorToken() });
  const issueCredential: Actors['issueCredential'] = async (vendorId) => {
    const path = `/operator/v1/vendors/${vendorId}/credentials`;
    return payloadOf(await asOperator('POST', path, allCapabilities), 201, credential);
  };
  return {
    asOperator,
    operatorToken,
    issueCredential,
    addVendor: async (name, agreement) =>
      payloadOf(
        await asOperator('POST', '/operator/v1/vendors', { name, ...agreement }),
        201,
        withId,
      ).id,
    vendorToken: async (vendorId) => {
      const { clientId, clientSecret } = await issueCredential(vendorId);
      return login(api, '/api/v1/auth/token', { clientId, clientSecret });
    },
    callAs: (accessToken) => (method, path, body) =>
      api.call(method, path, body, { token: accessToken }),
  };
}

const login = async (api: Caller, path: string, secrets: object): Promise<string> =>
  payloadOf(await api.call('POST', path, secrets), 200, token).accessToken;

function keptFor(ms: number, fetchNew: () => Promise<string>): () => Promise<string> {
  let kept = { value: '', until: 0 };
  return async () => {
    if (Date.now() >= kept.until) kept = { value: await fetchNew(), until: Date.now() + ms };
    return kept.value;
  };
}
