import type { Queryable } from '../core/client.ts';
import { isBefore, type UpcomingQuery } from './upcoming-query.ts';

/** An active credential. */
export type ExpiringCredential = {
  readonly credentialId: string;
  readonly clientId: string;
  readonly at: Date;
};

/** A vendor's active credentials by their expiry; it has at most twenty. */
export const listExpiringCredentials = async (
  sql: Queryable,
  query: UpcomingQuery,
): Promise<readonly ExpiringCredential[]> => sql<ExpiringCredential[]>`
  select id as credential_id, client_id, expires_at as at from credentials
  where vendor_id = ${query.vendorId} and is_active and expires_at > now()
    ${isBefore(sql, sql`expires_at`, query)}
  order by expires_at, id limit ${query.limit}`;
