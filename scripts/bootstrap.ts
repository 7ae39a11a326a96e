import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../config.ts';
import { connect, type Sql } from '../db/core/client.ts';
import { insertCredential } from '../db/accounts/credentials.ts';
import { upsertOperator } from '../db/accounts/operators.ts';
import { insertVendor } from '../db/accounts/vendors.ts';
import { capabilities } from '../domain/accounts/capabilities.ts';
import { newCredential } from '../security/new-credential.ts';
import { newSecret, sha256 } from '../security/secrets.ts';
import { readKept, type Kept, writeKept } from './kept.ts';

/**
 * Makes the demo vendor and the operator once, and finds them again at later starts: their secrets are kept in
 * GATEWAY_HOME, readable by its owner only, since the database holds digests.
 */
export async function bootstrap(config: Config, databaseUrl: string): Promise<Kept> {
  const sql = connect(databaseUrl, { max: 2, name: 'vendor-gateway bootstrap' });
  try {
    const kept = await readKept(config.GATEWAY_HOME);
    const vendor =
      kept !== null && (await hasVendor(sql, kept)) ? kept.vendor : await addDemoVendor(sql);
    const operator = configuredOperator(config) ?? kept?.operator ?? newOperator();
    await ensureAdmin(sql, operator);
    const result = { vendor, operator };
    await writeKept(config.GATEWAY_HOME, result);
    return result;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Makes the operator exist with this secret and the role Admin. */
export const ensureAdmin = (
  sql: Sql,
  { operatorId, operatorSecret }: Kept['operator'],
): Promise<void> =>
  upsertOperator(sql, {
    id: uuidv7(),
    operatorId,
    secretSha256: sha256(operatorSecret),
    roles: ['Admin'],
  });

/** The operator that the environment asks for. */
export const configuredOperator = ({
  OPERATOR_ID,
  OPERATOR_SECRET,
}: Config): Kept['operator'] | null =>
  OPERATOR_ID === undefined || OPERATOR_SECRET === undefined
    ? null
    : { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET };

const newOperator = (): Kept['operator'] => ({
  operatorId: 'demo-operator',
  operatorSecret: newSecret('os'),
});

/** The database may be another than the one that the kept file is of. */
async function hasVendor(sql: Sql, { vendor }: Kept): Promise<boolean> {
  const found = await sql`select 1 from credentials where client_id = ${vendor.clientId}`;
  return found.length === 1;
}

async function addDemoVendor(sql: Sql): Promise<Kept['vendor']> {
  const id = uuidv7();
  const name = 'Maison Dahab (demo)';
  const { clientSecret, ...made } = newCredential(new Date());
  await sql.begin(async (transaction) => {
    const agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2500 } as const;
    await insertVendor(transaction, { id, name, isActive: true, agreement });
    await insertCredential(transaction, {
      ...made,
      id: uuidv7(),
      vendorId: id,
      environment: 'Production',
      capabilities,
      isActive: true,
    });
  });
  return { id, name, clientId: made.clientId, clientSecret };
}
