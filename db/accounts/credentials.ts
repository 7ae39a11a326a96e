import type { Capability } from '../../domain/accounts/capabilities.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

/** A vendor's credential without its secret. */
export type Credential = {
  readonly id: string;
  readonly vendorId: string;
  readonly environment: string;
  readonly clientId: string;
  readonly capabilities: readonly Capability[];
  readonly expiresAt: Date;
  readonly isActive: boolean;
  readonly createdAt: Date;
};

/** What the token route needs, in one statement. */
export type CredentialForToken = Credential & {
  readonly secretSha256: Uint8Array;
  readonly vendorIsActive: boolean;
};

export async function findCredentialForToken(
  sql: Queryable,
  clientId: string,
): Promise<CredentialForToken | null> {
  const [row] = await sql<CredentialForToken[]>`
    select credentials.id, vendor_id, environment, client_id, secret_sha256, capabilities, expires_at,
      credentials.is_active, credentials.created_at, vendors.is_active as vendor_is_active
    from credentials join vendors on vendors.id = credentials.vendor_id
    where client_id = ${clientId}`;
  return row ?? null;
}

export async function insertCredential(
  sql: Queryable,
  credential: Omit<Credential, 'createdAt'> & { readonly secretSha256: Uint8Array },
): Promise<Credential> {
  const { id, vendorId, environment, clientId, secretSha256, capabilities, expiresAt, isActive } =
    credential;
  const [row] = await sql<[Credential]>`
    insert into credentials
      (id, vendor_id, environment, client_id, secret_sha256, capabilities, expires_at, is_active)
    values (${id}, ${vendorId}, ${environment}, ${clientId}, ${Buffer.from(secretSha256)},
      ${[...capabilities]}, ${expiresAt}, ${isActive})
    returning ${columns(sql)}`;
  return row;
}

const columns = (sql: Queryable) =>
  sql`id, vendor_id, environment, client_id, capabilities, expires_at, is_active, created_at`;

/** Newest first, deactivated ones included; of one environment, or of all. */
export async function listCredentials(
  sql: Queryable,
  { vendorId, environment }: { readonly vendorId: string; readonly environment: string | null },
  request: PageRequest,
): Promise<Page<Credential>> {
  const where = sql`
    where vendor_id = ${vendorId} ${environment === null ? sql`` : sql`and environment = ${environment}`}`;
  const [items, [count]] = await Promise.all([
    sql<Credential[]>`
      select ${columns(sql)} from credentials ${where} order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from credentials ${where}`,
  ]);
  return { items, totalCount: count.total };
}

/** Answers the credential as it was before, locked; null when there is none. */
export async function lockCredential(sql: Queryable, id: string): Promise<Credential | null> {
  const [row] = await sql<Credential[]>`
    select ${columns(sql)} from credentials where id = ${id} for update`;
  return row ?? null;
}

/**
 * One of a vendor's own, as it was before, locked; null when the vendor has none of this id. The vendor's lock comes first: of
 * two commands on its credentials, the second one sees what the first one left.
 */
export async function lockOwnCredential(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<Credential | null> {
  await lockCredentialsOf(sql, vendorId);
  const [row] = await sql<Credential[]>`
    select ${columns(sql)} from credentials where id = ${id} and vendor_id = ${vendorId} for update`;
  return row ?? null;
}

/** Until the transaction ends, no other command of this vendor makes, switches or deletes a credential. */
export async function lockCredentialsOf(sql: Queryable, vendorId: string): Promise<void> {
  await sql`select from vendors where id = ${vendorId} for no key update`;
}

/**
 * What the vendor's active, unexpired credentials hold together, across every environment; null when there is none (part 4,
 * Credentials, rules 1 and 2, D54). One that is yet to be made, or to be made active, is not among them.
 */
export async function heldCapabilities(
  sql: Queryable,
  vendorId: string,
): Promise<readonly Capability[] | null> {
  const [row] = await sql<[{ held: readonly Capability[] | null }]>`
    select array_agg(distinct capability) as held
    from credentials, unnest(capabilities) as capability
    where vendor_id = ${vendorId} and is_active and expires_at > now()`;
  return row.held;
}

export async function setCredentialActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`update credentials set is_active = ${isActive} where id = ${id}`;
}

/** For ever (part 4, Credentials, rule 3). */
export async function deleteCredential(sql: Queryable, id: string): Promise<void> {
  await sql`delete from credentials where id = ${id}`;
}
