import { describe, expect, test } from 'vitest';
import { capabilities, type Capability } from '../../../domain/accounts/capabilities.ts';
import { checkGrant } from '../../../domain/accounts/credentials.ts';

/** Every set of capabilities, the empty one among them: the bits of a number say which. */
const allSets: readonly (readonly Capability[])[] = Array.from(
  { length: 2 ** capabilities.length },
  (_, bits) => capabilities.filter((_capability, position) => (bits & (1 << position)) !== 0),
);

/** The difference of two sets, computed on bits rather than names. */
const bitsOf = (set: readonly Capability[]): number =>
  allSets.findIndex((each) => each.join() === set.join());

describe('the union rule, for every wanted set and every held one', () => {
  test('there are 32 sets', () => {
    expect(new Set(allSets.map((set) => set.join())).size).toBe(32);
  });

  test.each(allSets.map((held) => [held.join() || 'nothing', held] as const))(
    'a holder of %s may grant each subset of it, and any other grant names what is missing',
    (_name, held) => {
      for (const wanted of allSets) {
        const lacked = bitsOf(wanted) & ~bitsOf(held);
        expect(checkGrant(wanted, held)).toEqual(
          lacked === 0
            ? { ok: true, value: wanted }
            : {
                ok: false,
                failure: {
                  code: 'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
                  details: { notHeld: allSets[lacked] },
                },
              },
        );
      }
    },
  );

  test('the order in which the held ones come does not matter', () => {
    for (const held of allSets) {
      for (const wanted of allSets) {
        expect(checkGrant(wanted, held.toReversed())).toEqual(checkGrant(wanted, held));
      }
    }
  });
});

test('without an active credential nothing can be given: that is for onboarding', () => {
  for (const wanted of allSets) {
    expect(checkGrant(wanted, null)).toEqual({
      ok: false,
      failure: { code: 'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING', details: {} },
    });
  }
});
