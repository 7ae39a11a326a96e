import type { CancelReason } from '../../domain/jobs/job.ts';
import type { Queryable } from '../core/client.ts';
import { hasRows } from '../core/rows.ts';
import type { Job } from './job-row.ts';

/**
 * Why a job may run no further item: its vendor or the credential that started it is no longer
 * active. Null if both are; expiry does not count.
 *
 * The lock on the vendor's row prevents the race with a switch-off, because each command that
 * switches off or deletes a credential, or switches off a vendor, locks that row for itself. A
 * switch-off waits for the batch that runs, and a batch that begins meanwhile waits for the
 * switch-off. The credential is read by a second statement, whose snapshot is later than the wait.
 */
export async function lockStarter(
  sql: Queryable,
  { vendorId, credentialId }: Pick<Job, 'vendorId' | 'credentialId'>,
): Promise<CancelReason | null> {
  const [vendor] = await sql<[{ isActive: boolean }]>`
    select is_active from vendors where id = ${vendorId} for share`;
  const isStartedByActive =
    credentialId === null ||
    (await hasRows(sql`select from credentials where id = ${credentialId} and is_active`));
  if (!isStartedByActive) return 'CREDENTIAL_REVOKED';
  return vendor.isActive ? null : 'VENDOR_INACTIVE';
}
