import type { Capability } from '../domain/capabilities.ts';
import type { Queryable } from './client.ts';
import { offsetOf, type Page, type PageRequest } from './page.ts';

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
  const { id, vendorId, environment, clientId, secretSha256, capabilities, expiresAt, isActive } = credential;
  const [row] = await sql<[Credential]>`
    insert into credentials
      (id, vendor_id, environment, client_id, secret_sha256, capabilities, expires_at, is_active)
    values (${id}, ${vendorId}, ${environment}, ${clientId}, ${Buffer.from(secretSha256)},
      ${[...capabilities]}, ${expiresAt}, ${isActive})
    returning id, vendor_id, environment, client_id, capabilities, expires_at, is_active, created_at`;
  return row;
}

/** Newest first, deactivated ones included. */
export async function listCredentials(
  sql: Queryable,
  vendorId: string,
  request: PageRequest,
): Promise<Page<Credential>> {
  const [items, [count]] = await Promise.all([
    sql<Credential[]>`
      select id, vendor_id, environment, client_id, capabilities, expires_at, is_active, created_at
      from credentials where vendor_id = ${vendorId}
      order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from credentials where vendor_id = ${vendorId}`,
  ]);
  return { items, totalCount: count.total };
}

/** Answers the credential as it was before, locked; null when there is none. */
export async function lockCredential(sql: Queryable, id: string): Promise<Credential | null> {
  const [row] = await sql<Credential[]>`
    select id, vendor_id, environment, client_id, capabilities, expires_at, is_active, created_at
    from credentials where id = ${id} for update`;
  return row ?? null;
}

export async function setCredentialActive(sql: Queryable, id: string, isActive: boolean): Promise<void> {
  await sql`update credentials set is_active = ${isActive} where id = ${id}`;
}
