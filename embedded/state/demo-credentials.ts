import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { connect, type Sql } from '../../db/core/client.ts';
import { insertCredential } from '../../db/accounts/credentials.ts';
import { upsertOperator } from '../../db/accounts/operators.ts';
import { insertVendor } from '../../db/accounts/vendors.ts';
import { capabilities } from '../../domain/accounts/capabilities.ts';
import { newCredential } from '../../security/new-credential.ts';
import { newSecret, sha256 } from '../../security/secrets.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export const demoCredentialsSchema = v.object({
  vendor: v.object({
    id: v.string(),
    name: v.string(),
    clientId: v.string(),
    clientSecret: v.string(),
  }),
  operator: v.object({ operatorId: v.string(), operatorSecret: v.string() }),
});

/** The credentials of the demo vendor and of the operator, which every start prints. */
export type DemoCredentials = v.InferOutput<typeof demoCredentialsSchema>;
type Operator = DemoCredentials['operator'];

/**
 * Creates the demo vendor and the operator at the first start and finds them at later ones. A file
 * in GATEWAY_HOME has their secrets, since the database has only digests.
 */
export async function ensureDemoCredentials(
  config: Config,
  databaseUrl: string,
): Promise<DemoCredentials> {
  const file = join(config.GATEWAY_HOME, 'demo.json');
  const sql = connect(databaseUrl, { max: 2, name: 'vendor-gateway start' });
  try {
    const saved = await readJsonFile(file, demoCredentialsSchema);
    const newOperator = { operatorId: 'demo-operator', operatorSecret: newSecret('os') };
    const credentials = {
      // The file may belong to another database than this one.
      vendor:
        saved !== null && (await hasCredential(sql, saved.vendor.clientId))
          ? saved.vendor
          : await insertDemoVendor(sql),
      operator: configuredOperator(config) ?? saved?.operator ?? newOperator,
    };
    await ensureAdmin(sql, credentials.operator);
    await writeJsonFile(file, credentials);
    return credentials;
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
export const configuredOperator = ({ OPERATOR_ID, OPERATOR_SECRET }: Config): Operator | null =>
  OPERATOR_ID === undefined || OPERATOR_SECRET === undefined
    ? null
    : { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET };

async function hasCredential(sql: Sql, clientId: string): Promise<boolean> {
  const found = await sql`select 1 from credentials where client_id = ${clientId}`;
  return found.length === 1;
}

async function insertDemoVendor(sql: Sql): Promise<DemoCredentials['vendor']> {
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
      environment: 'Production',
      capabilities,
      isActive: true,
    });
  });
  return { id, name, clientId: credential.clientId, clientSecret };
}
