import { VendorGatewayError, type SandboxClock, type VendorClient } from 'vendor-gateway-client';
import type { CallOptions } from './calling.ts';

/** The vendor's clock in a sandbox, whose instants are of it; null outside a sandbox. */
export async function readSandboxClock(
  { sandbox }: VendorClient,
  options: CallOptions,
): Promise<SandboxClock | null> {
  try {
    return await sandbox.clock(options);
  } catch (error) {
    if (error instanceof VendorGatewayError && error.status === 404) return null;
    throw error;
  }
}

/** The time that the gateway's instants are of. */
export async function vendorTime(client: VendorClient, options: CallOptions): Promise<number> {
  const clock = await readSandboxClock(client, options);
  return clock === null ? Date.now() : Date.parse(clock.now);
}
