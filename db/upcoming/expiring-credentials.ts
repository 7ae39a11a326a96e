import type { Queryable } from '../core/client.ts';
import { equalTo } from '../lists/page.ts';
import { isBefore, type UpcomingQuery } from './upcoming-query.ts';

/** An active credential. */
export type ExpiringCredential = {
  readonly credentialId: string;
  readonly vendorId: string;
  readonly clientId: string;
  readonly at: Date;
};

/** Active credentials by their expiry; a vendor has at most twenty. */
export const listExpiringCredentials = async (
  sql: Queryable,
  query: UpcomingQuery,
): Promise<readonly ExpiringCredential[]> => sql<ExpiringCredential[]>`
  select id as credential_id, vendor_id, client_id, expires_at as at from credentials
  where is_active ${equalTo(sql, { vendor_id: query.vendorId })} and expires_at > now()
    ${isBefore(sql, sql`expires_at`, query)}
  order by expires_at, id limit ${query.limit}`;
