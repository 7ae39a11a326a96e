import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { newOperator, tokenWith } from '../../support/actors.ts';
import { newCredentialFixture, yesterday, type CredentialFixture } from './credential-fixture.ts';
import { call, refusal, textOf, type Answer } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
// What a vendor may give away (part 4, Credentials, rules 1 and 2; D54, D55), asked of both routes
// that give.

const exceeds = (...notHeld: readonly Capability[]) =>
  refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld });
const firstNeeded = refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING');

/** Asks for the capabilities, and says what there is afterwards that was not there before. */
type Give = (fixture: CredentialFixture, wanted: readonly Capability[]) => Promise<Answer>;
const ways: readonly (readonly [string, Give])[] = [
  ['generation', (fixture, wanted) => fixture.generate({ capabilities: wanted.join(', ') })],
  [
    'activation',
    async (fixture, wanted) =>
      fixture.setActive((await fixture.add(wanted, { isActive: false })).id, true),
  ],
];

/**
 * Asks, and answers whether it was given; a refusal has left nothing active that was not so before.
 */
async function ask(
  fixture: CredentialFixture,
  give: Give,
  wanted: readonly Capability[],
): Promise<Answer> {
  const activeOf = async () => (await fixture.rows()).filter(({ isActive }) => isActive);
  const before = await activeOf();
  const answer = await give(fixture, wanted);
  const after = await activeOf();
  expect(after.slice(0, before.length)).toEqual(before);
  const given = after.slice(before.length).map((row) => row.capabilities);
  expect(given).toEqual(answer.status < 300 ? [wanted] : []);
  return answer;
}

test.for(ways)(
  '%s: the union of two credentials is what can be given, from one to all of it',
  async ([_way, give], { gateway }) => {
    const fixture = await newCredentialFixture(gateway, ['Stock']);
    await fixture.add(['Orders', 'Account']);
    const held: readonly Capability[] = ['Stock', 'Orders', 'Account'];
    for (const capability of capabilities) {
      const answer = await ask(fixture, give, [capability]);
      if (held.includes(capability)) expect(answer.state).toBe('SUCCESS');
      else expect(answer).toMatchObject(exceeds(capability));
    }
    expect((await ask(fixture, give, held)).state).toBe('SUCCESS');
    expect(await ask(fixture, give, capabilities)).toMatchObject(exceeds('Offers', 'Cost'));
    expect(await ask(fixture, give, ['Stock', 'Cost'])).toMatchObject(exceeds('Cost'));
  },
);

test.for(ways)(
  '%s: a credential of another environment counts',
  async ([_way, give], { gateway }) => {
    const fixture = await newCredentialFixture(gateway, ['Stock']);
    expect(await ask(fixture, give, ['Cost'])).toMatchObject(exceeds('Cost'));
    await fixture.add(['Cost'], { environment: 'Sandbox' });
    expect((await ask(fixture, give, ['Stock', 'Cost'])).state).toBe('SUCCESS');
  },
);

test.for(ways)(
  '%s: with an active credential elsewhere only, it is not the first one',
  async ([_way, give], { gateway }) => {
    const fixture = await newCredentialFixture(gateway);
    await fixture.add(['Cost'], { environment: 'Sandbox' });
    await fixture.remove(fixture.vendor.credentialId);
    expect(await ask(fixture, give, ['Stock'])).toMatchObject(exceeds('Stock'));
    expect((await ask(fixture, give, ['Cost'])).state).toBe('SUCCESS');
  },
);

test.for(ways)(
  '%s: deactivated and expired credentials do not count',
  async ([_way, give], { gateway }) => {
    const fixture = await newCredentialFixture(gateway, ['Stock']);
    await fixture.add(['Cost'], { isActive: false });
    await fixture.add(['Cost'], { expiresAt: yesterday() });
    await fixture.add(['Cost'], { expiresAt: yesterday(), environment: 'Sandbox' });
    expect(await ask(fixture, give, ['Cost'])).toMatchObject(exceeds('Cost'));
  },
);

test.for(ways)(
  "%s: another vendor's credentials do not count",
  async ([_way, give], { gateway }) => {
    const fixture = await newCredentialFixture(gateway, ['Stock']);
    await newCredentialFixture(gateway);
    expect(await ask(fixture, give, ['Cost'])).toMatchObject(exceeds('Cost'));
  },
);

test.for(ways)(
  '%s: with no active credential anywhere it is 422, whatever is wanted',
  async ([_way, give], { gateway }) => {
    for (const end of ['deleted', 'deactivated', 'expired'] as const) {
      const fixture = await newCredentialFixture(gateway);
      const { credentialId } = fixture.vendor;
      if (end === 'deleted') await fixture.remove(credentialId);
      if (end === 'deactivated') await fixture.setActive(credentialId, false);
      if (end === 'expired')
        await gateway.sql`
          update credentials set expires_at = ${yesterday()} where id = ${credentialId}`;
      await fixture.add(['Stock'], { expiresAt: yesterday() });
      for (const wanted of [['Stock'], capabilities] as const) {
        const answer = await give(fixture, wanted);
        expect(answer, end).toMatchObject(firstNeeded);
      }
    }
  },
);

test('the capabilities of the credentials count, not those of the token', async ({ gateway }) => {
  const fixture = await newCredentialFixture(gateway, ['Account']);
  await fixture.add(capabilities);
  const token = tokenWith(gateway, fixture.vendor, ['Account']);
  expect((await fixture.generate({ capabilities: 'Offers,Cost' }, token)).status).toBe(201);
  // And the other way round: the token claims what no credential holds any more.
  const poor = await newCredentialFixture(gateway, ['Account']);
  const rich = tokenWith(gateway, poor.vendor, capabilities);
  expect(await poor.generate({ capabilities: 'Account,Cost' }, rich)).toMatchObject(
    exceeds('Cost'),
  );
});

test('the body is checked before the union rule, and all its errors are reported', async ({
  gateway,
}) => {
  const fixture = await newCredentialFixture(gateway);
  await fixture.remove(fixture.vendor.credentialId);
  expect((await fixture.generate({ capabilities: 'Nothing' })).status).toBe(400);
  expect(await fixture.generate({ capabilities: 'Stock' })).toMatchObject(firstNeeded);
});

test('the rule does not bind operators, who can issue a first credential again', async ({
  gateway,
}) => {
  const fixture = await newCredentialFixture(gateway, ['Stock']);
  await fixture.remove(fixture.vendor.credentialId);
  const { token } = await newOperator(gateway);
  const url = `/operator/v1/vendors/${fixture.vendor.vendorId}/credentials`;
  const body = { environment: 'Production', capabilities: 'Cost' };
  expect((await call(gateway, 'POST', url, { token, body })).status).toBe(201);
  expect((await fixture.generate({ capabilities: 'Cost' })).status).toBe(201);
  expect(await fixture.generate({ capabilities: 'Stock' })).toMatchObject(exceeds('Stock'));
});

test('a created credential counts for the next one, even after its creator is deleted', async ({
  gateway,
}) => {
  const fixture = await newCredentialFixture(gateway, ['Stock', 'Cost']);
  const made = await fixture.generate({ capabilities: 'Stock' });
  await fixture.remove(fixture.vendor.credentialId);
  expect(await fixture.generate({ capabilities: 'Cost' })).toMatchObject(exceeds('Cost'));
  expect((await fixture.generate({ capabilities: 'Stock' })).status).toBe(201);
  await fixture.remove(textOf(made, 'id'));
  expect((await fixture.generate({ capabilities: 'Stock' })).status).toBe(201);
});
