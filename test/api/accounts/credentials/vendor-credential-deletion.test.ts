import { expect } from 'vitest';
import { newVendor } from '../../support/actors.ts';
import { askToken, newCredentialFixture, type CredentialFixture } from './credential-fixture.ts';
import { call, itemsOf, refusal, unknownId } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// The deletion (part 4, Credentials, rule 3; D58).

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const notFound = refusal('NOT_FOUND_VENDOR_CREDENTIAL');
const idsOf = async (fixture: CredentialFixture) =>
  itemsOf(await fixture.list()).map(({ id }) => id);

test('deletes the row for ever: no token, no second deletion', async ({ gateway, fixture }) => {
  const { id, ...known } = await fixture.add(['Stock']);
  expect((await askToken(gateway, known)).status).toBe(200);
  const answer = await fixture.remove(id.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  expect((await fixture.rows()).map((row) => row.id)).toEqual([fixture.vendor.credentialId]);
  expect(await askToken(gateway, known)).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
  expect(await idsOf(fixture)).toEqual([fixture.vendor.credentialId]);
  for (const again of [await fixture.remove(id), await fixture.setActive(id, true)]) {
    expect(again).toMatchObject(notFound);
  }
});

test("returns the same 404 for another vendor's, an unknown id and no uuid", async ({
  gateway,
  fixture,
}) => {
  const other = await newVendor(gateway);
  const stored = () =>
    gateway.sql`select c::text from credentials c where id = ${other.credentialId}`;
  const before = await stored();
  for (const id of [other.credentialId, unknownId(), '1', '%00', `${other.credentialId}x`]) {
    const answers = [
      await fixture.remove(id),
      await fixture.setActive(id, false),
      await fixture.setActive(id, true),
    ];
    for (const answer of answers) expect(answer, id).toMatchObject(notFound);
  }
  expect(await stored()).toEqual(before);
});

test('leaves tokens of the deleted credential valid', async ({ gateway, fixture }) => {
  const { vendor } = fixture;
  expect((await fixture.remove(vendor.credentialId)).status).toBe(200);
  for (const path of ['webhooks', 'scent/offers', 'vendor/profile']) {
    expect((await call(gateway, 'GET', `/api/v1/${path}`, { token: vendor.token })).status).toBe(
      200,
    );
  }
  expect(await idsOf(fixture)).toEqual([]);
});
