import {
  addVariant,
  addVendor,
  issueCredential,
  operatorToken,
  vendorToken,
} from '../../../scripts/demo/api-calls.ts';
import { createApiClient, type ApiClient } from '../../../scripts/demo/api-client.ts';
import type { RuntimeInfo } from '../../../embedded/state/runtime-info.ts';

export const costPlus = { pricingModel: 'CostPlusMargin', markupPercent: 25 } as const;

type Credential = Awaited<ReturnType<typeof issueCredential>>;

/** A vendor, and what its fixtures are created with. */
export type VendorContext = {
  readonly vendorId: string;
  /** All of the vendor's tokens are of it. Generated calls must not delete or deactivate it. */
  readonly credential: Credential;
  readonly token: () => Promise<string>;
  readonly variantId: string;
  readonly vendor: ApiClient;
  readonly operator: ApiClient;
};

/** An operator's token is valid for 15 minutes; this is how long one is reused. */
const operatorTokenMs = 600_000;
/** A vendor's token is valid for 5 minutes; Schemathesis uses it for 200 seconds. */
const vendorTokenMs = 60_000;

/** Issues a token at the first call, and another when the last one is older. */
function reuse(issue: () => Promise<string>, reuseMs: number): () => Promise<string> {
  let cached = { value: '', until: 0 };
  return async () => {
    if (Date.now() >= cached.until) {
      cached = { value: await issue(), until: Date.now() + reuseMs };
    }
    return cached.value;
  };
}

/** The callers besides Schemathesis: the operator and vendors. */
export type Clients = ReturnType<typeof createClients>;

export function createClients({
  apiUrl,
  operator: credential,
}: Pick<RuntimeInfo, 'apiUrl' | 'operator'>) {
  const anonymous = createApiClient(apiUrl);
  const freshOperatorToken = reuse(() => operatorToken(anonymous, credential), operatorTokenMs);
  const operator = anonymous.withToken(freshOperatorToken);
  /** Adds a vendor whose offers are of this variant. */
  const addVendorOf = async (
    name: string,
    variantId: string,
    agreement: object,
  ): Promise<VendorContext> => {
    const vendorId = await addVendor(operator, name, agreement);
    const credential = await issueCredential(operator, vendorId);
    const token = reuse(() => vendorToken(anonymous, credential), vendorTokenMs);
    const vendor = anonymous.withToken(token);
    return { vendorId, variantId, credential, token, vendor, operator };
  };
  return {
    operator,
    operatorToken: freshOperatorToken,
    /** The operator's login name. */
    operatorId: credential.operatorId,
    addVendor: addVendorOf,
    /** Adds a vendor and a variant with the same name. */
    newVendor: async (name: string) =>
      addVendorOf(name, await addVariant(operator, name), costPlus),
  };
}
