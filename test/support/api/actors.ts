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
import { newCredential } from '../../../security/new-credential.ts';
import { newSecret, sha256 } from '../../../security/secrets.ts';
import type { Gateway } from './api.ts';

export const costPlus: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
export const percentageOfSale: Agreement = {
  pricingModel: 'PercentageOfSale',
  rateBasisPoints: 1500,
};

type GatewayParts = Pick<Gateway, 'sql' | 'dependencies'>;

export type TestVendor = {
  readonly vendorId: string;
  readonly credentialId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token with the credential's capabilities. */
  readonly token: string;
};

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
): Promise<TestVendor> {
  const vendorId = uuidv7();
  const { agreement = costPlus, isActive = true } = options;
  await insertVendor(sql, { id: vendorId, name: 'Vendor', isActive, agreement });
  const { clientSecret, ...made } = newCredential(new Date());
  const granted = options.capabilities ?? capabilities;
  const credential = await insertCredential(sql, {
    ...made,
    id: uuidv7(),
    vendorId,
    environment: dependencies.environment,
    capabilities: granted,
    expiresAt: options.expiresAt ?? made.expiresAt,
    isActive: options.credentialIsActive ?? true,
  });
  return {
    vendorId,
    credentialId: credential.id,
    clientId: made.clientId,
    clientSecret,
    token: dependencies.tokens.issueVendorToken(credential),
  };
}

/** A token of the same vendor with other capabilities. */
export const tokenWith = (
  { dependencies }: GatewayParts,
  vendor: TestVendor,
  granted: readonly Capability[],
): string =>
  dependencies.tokens.issueVendorToken({
    id: vendor.credentialId,
    clientId: vendor.clientId,
    vendorId: vendor.vendorId,
    capabilities: granted,
    environment: dependencies.environment,
  });

export type TestOperator = {
  readonly id: string;
  readonly operatorId: string;
  readonly operatorSecret: string;
  /** A token of the operator's first generation of tokens. */
  readonly token: string;
};

export async function newOperator(
  { sql, dependencies }: GatewayParts,
  roles: readonly OperatorRole[] = ['Admin'],
): Promise<TestOperator> {
  const id = uuidv7();
  const operatorId = `staff-member-${id}`;
  const operatorSecret = newSecret('os');
  await upsertOperator(sql, { id, operatorId, secretSha256: sha256(operatorSecret), roles });
  const token = dependencies.tokens.issueOperatorToken({
    id,
    operatorId,
    roles,
    tokenGeneration: 1,
  });
  return { id, operatorId, operatorSecret, token };
}

export async function newVariant(
  { sql }: { readonly sql: Sql },
  given: Partial<Variant> = {},
): Promise<Variant> {
  const id = uuidv7();
  const variant: Variant = {
    id,
    sku: `SKU-${id}`,
    brandName: 'Brand',
    productName: 'Product',
    concentration: 'EDP',
    sizeMl: 50,
    barcode: '4006381333931',
    isActive: true,
    ...given,
  };
  await insertVariant(sql, variant);
  return variant;
}

/** The least that create-offer takes. */
export const freeFormOffer = {
  cost: 100,
  costIsVatInclusive: false,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
};
