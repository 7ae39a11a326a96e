import type { Capability } from './capabilities.ts';
import { fail, ok, type Result } from '../errors.ts';

/** What an installation is for. Its credentials and their tokens have its environment. */
export const environments = ['Production', 'Sandbox'] as const;
export type Environment = (typeof environments)[number];

/**
 * The union rule (part 4, Credentials, rules 1 and 2): a vendor may grant only what its other
 * active credentials hold together. `held` is null when it has none.
 */
export function checkGrant(
  wanted: readonly Capability[],
  held: readonly Capability[] | null,
): Result<readonly Capability[]> {
  if (held === null) return fail('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING');
  const notHeld = wanted.filter((capability) => !held.includes(capability));
  return notHeld.length === 0
    ? ok(wanted)
    : fail('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld });
}
