import type { Capability } from '../../domain/accounts/capabilities.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { countOf, firstOf, hasRows, switchOf, valueOf } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';

const credentialTypes = {
  id: 'uuid',
  vendorId: 'uuid',
  environment: 'text',
  clientId: 'text',
  capabilities: 'text[]',
  expiresAt: 'timestamptz',
  isActive: 'boolean',
  createdAt: 'timestamptz',
} as const;

/** A vendor's credential without its secret. */
export type Credential = RowOf<typeof credentialTypes, { capabilities: readonly Capability[] }>;
export const credentialColumns = columnsOf<Credential>('credentials', credentialTypes);

/** The data that the token route needs, read by one statement. */
export type CredentialForToken = Credential & {
  readonly secretSha256: Uint8Array;
  readonly vendorIsActive: boolean;
};

export const findCredentialForToken = (sql: Queryable, clientId: string) =>
  firstOf(sql<CredentialForToken[]>`
    select ${credentialColumns.list(sql)}, secret_sha256, vendors.is_active as vendor_is_active
    from credentials join vendors on vendors.id = credentials.vendor_id
    where client_id = ${clientId}`);

export async function insertCredential(
  sql: Queryable,
  credential: Omit<Credential, 'createdAt'> & { readonly secretSha256: Uint8Array },
): Promise<Credential> {
  const keys = credentialColumns.keys.filter((key) => key !== 'createdAt');
  const [row] = await sql<[Credential]>`
    insert into credentials ${sql(credential, ...keys, 'secretSha256')}
    returning ${credentialColumns.list(sql)}`;
  return row;
}

/** Newest first, deactivated ones included. `environment` null: of every environment. */
export const listCredentials = (
  sql: Queryable,
  { vendorId, environment }: { readonly vendorId: string; readonly environment: string | null },
  request: PageRequest,
): Promise<Page<Credential>> =>
  readNewest(sql, request, credentialColumns, (parts) => ({
    conditions: equalTo(parts, { vendor_id: vendorId, environment }),
  }));

/** Locks a credential until the transaction ends. `vendorId` null: any vendor's. */
export const lockCredential = (sql: Queryable, id: string, vendorId: string | null = null) =>
  firstOf(sql<Credential[]>`
    select ${credentialColumns.list(sql)} from credentials
    where id = ${id} ${equalTo(sql, { vendor_id: vendorId })} for update`);

/**
 * Locks any vendor's credential, and before it the vendor, as a vendor's own commands do by
 * `lockVendor`: an operator's command and a vendor's one follow each other.
 */
export async function lockAnyCredential(sql: Queryable, id: string): Promise<Credential | null> {
  await sql`
    select from vendors where id = (select vendor_id from credentials where id = ${id})
    for no key update`;
  return lockCredential(sql, id);
}

/**
 * The capabilities of the vendor's active, unexpired credentials together, across every
 * environment; null when it has no such credential (part 4, Credentials, rules 1 and 2).
 */
export const heldCapabilities = (
  sql: Queryable,
  vendorId: string,
): Promise<readonly Capability[] | null> =>
  valueOf(sql`
    select array_agg(distinct capability)
    from credentials, unnest(capabilities) as capability
    where vendor_id = ${vendorId} and is_active and expires_at > now()`);

export const setCredentialActive = switchOf('credentials');

/**
 * As {@link setCredentialActive}, by an operator: the vendor cannot activate again what an operator
 * switched off.
 */
export async function setCredentialActiveByOperator(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await setCredentialActive(sql, id, isActive);
  await (isActive
    ? sql`delete from credential_revocations where credential_id = ${id}`
    : sql`insert into credential_revocations (credential_id) values (${id})
        on conflict do nothing`);
}

/** A vendor's credentials, active or not, expired ones too; deleted ones leave no row. */
export const credentialsMax = 20;

/** The number of a vendor's credentials. Call it after `lockVendor`. */
export const countCredentials = (sql: Queryable, vendorId: string): Promise<number> =>
  countOf(sql, sql`credentials where vendor_id = ${vendorId}`);

/** Whether an operator switched the credential off, also if its vendor deleted it since. */
export const isRevoked = (sql: Queryable, credentialId: string): Promise<boolean> =>
  hasRows(sql`select from credential_revocations where credential_id = ${credentialId}`);

/** A hard delete (part 4, Credentials, rule 3). */
export async function deleteCredential(sql: Queryable, id: string): Promise<void> {
  await sql`delete from credentials where id = ${id}`;
}
