import type { Queryable } from '../core/client.ts';

/**
 * Deletes what a sandbox's vendor has made, and sends messages to its runs. The vendor stays locked
 * until the transaction ends. Throws in Production.
 */
export async function resetSandbox(sql: Queryable, vendorId: string): Promise<void> {
  await sql`select reset_sandbox(${vendorId})`;
}
