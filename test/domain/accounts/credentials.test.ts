import { expect, test } from 'vitest';
import { capabilities, type Capability } from '../../../domain/accounts/capabilities.ts';
import { checkGrant } from '../../../domain/accounts/credentials.ts';
import { fail, ok } from '../../../domain/errors.ts';

/** Every set of capabilities, by the number whose bits name its members. */
const allSets: readonly (readonly Capability[])[] = Array.from(
  { length: 2 ** capabilities.length },
  (_, bits) => capabilities.filter((_capability, position) => (bits & (1 << position)) !== 0),
);

test.each(allSets.map((held, bits) => [held.join() || 'nothing', held, bits] as const))(
  'grants each subset of %s, and names what is missing for any other grant',
  (_name, held, heldBits) => {
    for (const [wantedBits, wanted] of allSets.entries()) {
      const notHeld = allSets[wantedBits & ~heldBits];
      const expected =
        notHeld?.length === 0
          ? ok(wanted)
          : fail('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld });
      expect(checkGrant(wanted, held)).toEqual(expected);
      expect(checkGrant(wanted, held.toReversed())).toEqual(expected);
    }
  },
);

test('requires onboarding for any grant without an active credential', () => {
  for (const wanted of allSets)
    expect(checkGrant(wanted, null)).toEqual(
      fail('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING'),
    );
});
