import { addVendor, issueCredential, operatorToken, vendorToken } from '../../demo/api-calls.ts';
import { createApiClient, type ApiClient } from '../../demo/api-client.ts';
import type { RuntimeInfo } from '../../embedded/state/runtime-info.ts';

/** An operator's token is valid for 15 minutes; this is how long one is reused. */
const operatorTokenMs = 600_000;

/** A vendor, and what its fixtures are created with. */
export type VendorContext = {
  readonly vendorId: string;
  readonly variantId: string;
  readonly vendor: ApiClient;
  readonly operator: ApiClient;
};

/** The callers besides Schemathesis: the operator and vendors. */
export type Clients = ReturnType<typeof createClients>;

export function createClients({ apiUrl, operator: credential }: RuntimeInfo) {
  const anonymous = createApiClient(apiUrl);
  let cached = { value: '', until: 0 };
  const freshOperatorToken = async (): Promise<string> => {
    if (Date.now() >= cached.until) {
      const value = await operatorToken(anonymous, credential);
      cached = { value, until: Date.now() + operatorTokenMs };
    }
    return cached.value;
  };
  const operator = anonymous.withToken(freshOperatorToken);
  /** Each token has its own credential, which no generated call has deleted or deactivated. */
  const newVendorToken = async (vendorId: string): Promise<string> =>
    vendorToken(anonymous, await issueCredential(operator, vendorId));
  return {
    operator,
    operatorToken: freshOperatorToken,
    vendorToken: newVendorToken,
    /** Adds a vendor whose offers are of this variant. */
    addVendor: async (
      name: string,
      variantId: string,
      agreement: object,
    ): Promise<VendorContext> => {
      const vendorId = await addVendor(operator, name, agreement);
      const token = await newVendorToken(vendorId);
      return { vendorId, variantId, vendor: anonymous.withToken(() => token), operator };
    },
  };
}
