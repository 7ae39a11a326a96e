import { v7 as uuidv7 } from 'uuid';
import { insertCredential } from '../../../db/accounts/credentials.ts';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import type { Sql } from '../../../db/core/client.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import { insertVendor } from '../../../db/accounts/vendors.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { capabilities, type Capability } from '../../../domain/accounts/capabilities.ts';
import type { Variant } from '../../../domain/offers/offer.ts';
import type { OperatorRole } from '../../../domain/accounts/operator-roles.ts';
import { newCredential, newSecret, sha256 } from '../../../security/secrets.ts';
import { variant as anyVariant } from '../../domain/offers/offer-builders.ts';
import type { Gateway } from './api.ts';

export const costPlus: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
export const percentageOfSale: Agreement = {
  pricingModel: 'PercentageOfSale',
  rateBasisPoints: 1500,
};

type GatewayParts = Pick<Gateway, 'sql' | 'dependencies'>;

/** Stores a credential of a vendor, without the checks of a route. */
export async function addCredential(
  sql: Sql,
  vendorId: string,
  given: Partial<Parameters<typeof insertCredential>[1]> = {},
) {
  const { clientSecret, ...made } = newCredential(new Date());
  const own = { id: uuidv7(), vendorId, environment: 'Production', capabilities, isActive: true };
  return { ...(await insertCredential(sql, { ...made, ...own, ...given })), clientSecret };
}

/** Stores a vendor without a credential; returns its id. */
export async function addVendor(
  sql: Sql,
  agreement = costPlus,
  given: { readonly name?: string; readonly isActive?: boolean } = {},
): Promise<string> {
  const id = uuidv7();
  await insertVendor(sql, { id, name: 'Vendor', isActive: true, agreement, ...given });
  return id;
}

/** A vendor with one credential. */
export async function newVendor(
  { sql, dependencies }: GatewayParts,
  options: {
    readonly agreement?: Agreement;
    readonly capabilities?: readonly Capability[];
    readonly isActive?: boolean;
    readonly credentialIsActive?: boolean;
    readonly expiresAt?: Date;
  } = {},
) {
  const { agreement, isActive = true } = options;
  const vendorId = await addVendor(sql, agreement, { isActive });
  const credential = await addCredential(sql, vendorId, {
    environment: dependencies.environment,
    capabilities: options.capabilities ?? capabilities,
    isActive: options.credentialIsActive ?? true,
    ...(options.expiresAt === undefined ? {} : { expiresAt: options.expiresAt }),
  });
  return {
    vendorId,
    credentialId: credential.id,
    clientId: credential.clientId,
    clientSecret: credential.clientSecret,
    /** A token with the credential's capabilities. */
    token: dependencies.tokens.issueVendorToken(credential),
  };
}
export type TestVendor = Awaited<ReturnType<typeof newVendor>>;

/** A token of the same vendor with other capabilities. */
export const tokenWith = (
  { dependencies }: GatewayParts,
  vendor: Pick<TestVendor, 'vendorId' | 'credentialId' | 'clientId'>,
  granted: readonly Capability[],
): string =>
  dependencies.tokens.issueVendorToken({
    id: vendor.credentialId,
    clientId: vendor.clientId,
    vendorId: vendor.vendorId,
    capabilities: granted,
    environment: dependencies.environment,
  });

/**
 * The tokens of a vendor with all capabilities, each younger than a minute: a token ends after
 * 300 s, and a file may take longer on a busy machine.
 */
export function freshTokensOf(gateway: GatewayParts, vendor: TestVendor): () => string {
  let { token } = vendor;
  let issuedMs = performance.now();
  return () => {
    if (performance.now() - issuedMs > 60_000) {
      token = tokenWith(gateway, vendor, capabilities);
      issuedMs = performance.now();
    }
    return token;
  };
}

/** Stores an operator. */
export async function addOperator(
  sql: Sql,
  roles: readonly OperatorRole[] = ['Admin'],
  given: { readonly operatorId?: string; readonly operatorSecret?: string } = {},
) {
  const id = uuidv7();
  const { operatorId = `staff-member-${id}`, operatorSecret = newSecret('os') } = given;
  await upsertOperator(sql, { id, operatorId, secretSha256: sha256(operatorSecret), roles });
  return { id, operatorId, operatorSecret };
}

/** An operator with a token. */
export async function newOperator(
  { sql, dependencies }: GatewayParts,
  roles: readonly OperatorRole[] = ['Admin'],
) {
  const operator = await addOperator(sql, roles);
  const session = { ...operator, roles, tokenGeneration: 1 };
  return { ...operator, token: dependencies.tokens.issueOperatorToken(session) };
}
export type TestOperator = Awaited<ReturnType<typeof newOperator>>;

export async function newVariant(
  { sql }: { readonly sql: Sql },
  given: Partial<Variant> = {},
): Promise<Variant> {
  const id = uuidv7();
  const variant = { ...anyVariant, id, sku: `SKU-${id}`, concentration: 'EDP', ...given };
  await insertVariant(sql, variant, null);
  return variant;
}

/** The least that create-offer takes. */
export const freeFormOffer = {
  cost: 100,
  costIsVatInclusive: false,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
};
