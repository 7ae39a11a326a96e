import type { Capability } from './capabilities.ts';
import { fail, ok, type Result } from '../errors.ts';

/** The environments there are (D52). */
export const environments = ['Production'] as const;

/**
 * Whether a vendor may give `wanted` to one of its credentials: never more than its other active ones hold together (part 4,
 * Credentials, rules 1 and 2); `held` is null when there is none.
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
