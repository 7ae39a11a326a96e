import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { newOperator, tokenWith } from '../../../support/api/actors.ts';
import { newCredentialFixture, yesterday, type CredentialFixture } from './credential-fixture.ts';
import { call, refusal, textOf, type Answer } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
// Which credentials count for the union rule (part 4, Credentials, rules 1 and 2; D54, D55), on
// both routes that grant. The rule has its cases in `test/domain/accounts/credentials.test.ts`.

const exceeds = (...notHeld: readonly Capability[]) =>
  refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld });
const firstNeeded = refusal('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING');
const granted = { state: 'SUCCESS' };

/** Asks for the capabilities by one of the routes. */
type Grant = (fixture: CredentialFixture, wanted: readonly Capability[]) => Promise<Answer>;
const routes: readonly (readonly [string, Grant])[] = [
  ['generation', (fixture, wanted) => fixture.generate({ capabilities: wanted.join(', ') })],
  [
    'activation',
    async (fixture, wanted) =>
      fixture.setActive((await fixture.add(wanted, { isActive: false })).id, true),
  ],
];

/** Asks, and checks that exactly a success makes a credential active. */
async function ask(
  fixture: CredentialFixture,
  grant: Grant,
  wanted: readonly Capability[],
): Promise<Answer> {
  const activeOf = async () =>
    (await fixture.rows()).filter(({ isActive }) => isActive).map((row) => row.capabilities);
  const before = await activeOf();
  const answer = await grant(fixture, wanted);
  expect(await activeOf()).toEqual(answer.status < 300 ? [...before, wanted] : before);
  return answer;
}

test.for(routes)(
  '%s: counts the active credentials of all environments, and no others',
  async ([, grant], { gateway }) => {
    const fixture = await newCredentialFixture(gateway, ['Stock']);
    await fixture.add(['Orders'], { environment: 'Sandbox' });
    await fixture.add(['Cost'], { isActive: false });
    await fixture.add(['Cost'], { expiresAt: yesterday() });
    await newCredentialFixture(gateway, ['Cost']);
    expect(await ask(fixture, grant, ['Cost'])).toMatchObject(exceeds('Cost'));
    expect(await ask(fixture, grant, capabilities)).toMatchObject(
      exceeds('Offers', 'Cost', 'Account'),
    );
    expect(await ask(fixture, grant, ['Stock', 'Orders'])).toMatchObject(granted);
    await fixture.remove(fixture.vendor.credentialId);
    expect(await ask(fixture, grant, ['Stock'])).toMatchObject(granted);
  },
);

test.for(routes)(
  '%s: is 422 without an active credential, whatever is wanted',
  async ([, grant], { gateway }) => {
    for (const end of ['deleted', 'deactivated', 'expired'] as const) {
      const fixture = await newCredentialFixture(gateway);
      const { credentialId } = fixture.vendor;
      if (end === 'deleted') await fixture.remove(credentialId);
      if (end === 'deactivated') await fixture.setActive(credentialId, false);
      if (end === 'expired')
        await gateway.sql`
          update credentials set expires_at = ${yesterday()} where id = ${credentialId}`;
      for (const wanted of [['Stock'], capabilities] as const)
        expect(await grant(fixture, wanted), end).toMatchObject(firstNeeded);
    }
  },
);

test('counts the capabilities of the credentials, not those of the token', async ({ gateway }) => {
  const fixture = await newCredentialFixture(gateway, ['Account']);
  const rich = tokenWith(gateway, fixture.vendor, capabilities);
  expect(await fixture.generate({ capabilities: 'Account,Cost' }, rich)).toMatchObject(
    exceeds('Cost'),
  );
  await fixture.add(capabilities);
  const poor = tokenWith(gateway, fixture.vendor, ['Account']);
  expect((await fixture.generate({ capabilities: 'Offers,Cost' }, poor)).status).toBe(201);
});

test('does not bind operators, whose credential counts for the next one', async ({ gateway }) => {
  const fixture = await newCredentialFixture(gateway, ['Stock']);
  await fixture.remove(fixture.vendor.credentialId);
  const { token } = await newOperator(gateway);
  const url = `/operator/v1/vendors/${fixture.vendor.vendorId}/credentials`;
  const body = { environment: 'Production', capabilities: 'Cost' };
  const issued = await call(gateway, 'POST', url, { token, body });
  expect(issued.status).toBe(201);
  expect((await fixture.generate({ capabilities: 'Cost' })).status).toBe(201);
  await fixture.remove(textOf(issued, 'id'));
  expect((await fixture.generate({ capabilities: 'Cost' })).status).toBe(201);
  expect(await fixture.generate({ capabilities: 'Stock' })).toMatchObject(exceeds('Stock'));
});
