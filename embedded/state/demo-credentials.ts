import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import type { Config } from '../../process/config.ts';
import { connect, type Sql } from '../../db/core/client.ts';
import { findCredentialForToken, insertCredential } from '../../db/accounts/credentials.ts';
import { canLogIn, upsertOperator } from '../../db/accounts/operators.ts';
import { insertVendor } from '../../db/accounts/vendors.ts';
import { capabilities } from '../../domain/accounts/capabilities.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { newCredential, newSecret, sha256 } from '../../security/secrets.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const vendor = v.object({
  id: v.string(),
  name: v.string(),
  clientId: v.string(),
  clientSecret: v.string(),
});
const operator = v.object({ operatorId: v.string(), operatorSecret: v.string() });
const savedCredentials = v.object({ vendor, operator });

export const demoCredentialsSchema = v.object({
  vendor,
  /** `operatorSecret` is null when the operator cannot log in with the secret of the start. */
  operator: v.object({ ...operator.entries, operatorSecret: v.nullable(v.string()) }),
});

/** The credentials of the demo vendor and of the operator, which every start prints. */
export type DemoCredentials = v.InferOutput<typeof demoCredentialsSchema>;
type Operator = v.InferOutput<typeof operator>;
type OperatorConfig = Pick<Config, 'OPERATOR_ID' | 'OPERATOR_SECRET'>;

/**
 * Creates the demo vendor and the operator at the first start and finds them at later ones. A file
 * in GATEWAY_HOME has their secrets, since the database has only digests.
 */
export async function ensureDemoCredentials(
  config: OperatorConfig & Pick<Config, 'GATEWAY_HOME' | 'GATEWAY_ENVIRONMENT'>,
  databaseUrl: string,
): Promise<DemoCredentials> {
  const file = join(config.GATEWAY_HOME, 'demo.json');
  const sql = connect(databaseUrl, { max: 2, name: 'vendor-gateway start' });
  try {
    const saved = await readJsonFile(file, savedCredentials);
    const newOperator = { operatorId: 'demo-operator', operatorSecret: newSecret('os') };
    const credentials = {
      // The file may belong to another database than this one.
      vendor:
        saved !== null && (await findCredentialForToken(sql, saved.vendor.clientId)) !== null
          ? saved.vendor
          : await insertDemoVendor(sql, config.GATEWAY_ENVIRONMENT),
      operator: configuredOperator(config) ?? saved?.operator ?? newOperator,
    };
    await ensureAdmin(sql, credentials.operator);
    await writeJsonFile(file, credentials);
    const { operatorId, operatorSecret } = credentials.operator;
    // An Admin may have rotated the secret, or deactivated the operator.
    const isValid = await canLogIn(sql, { operatorId, secretSha256: sha256(operatorSecret) });
    return isValid
      ? credentials
      : { ...credentials, operator: { operatorId, operatorSecret: null } };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Creates the operator, or sets its secret, with the role Admin. */
export const ensureAdmin = (sql: Sql, { operatorId, operatorSecret }: Operator): Promise<void> =>
  upsertOperator(sql, {
    id: uuidv7(),
    operatorId,
    secretSha256: sha256(operatorSecret),
    roles: ['Admin'],
  });

/** The operator of OPERATOR_ID and OPERATOR_SECRET; null when they are unset. */
export const configuredOperator = ({
  OPERATOR_ID,
  OPERATOR_SECRET,
}: OperatorConfig): Operator | null =>
  OPERATOR_ID === undefined || OPERATOR_SECRET === undefined
    ? null
    : { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET };

async function insertDemoVendor(sql: Sql, environment: Environment) {
  const id = uuidv7();
  const name = 'Maison Dahab (demo)';
  const { clientSecret, ...credential } = newCredential(new Date());
  await sql.begin(async (transaction) => {
    const agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2500 } as const;
    await insertVendor(transaction, { id, name, isActive: true, agreement });
    await insertCredential(transaction, {
      ...credential,
      id: uuidv7(),
      vendorId: id,
      environment,
      capabilities,
      isActive: true,
    });
  });
  return { id, name, clientId: credential.clientId, clientSecret };
}
