import { expect } from 'vitest';
import { itemsOf, refusal, textOf } from '../../../support/api/api.ts';
import { credentialTest as test, expectCreated } from './credential-fixture.ts';

test('issues a credential, audits it, and shows its secret once', async ({
  gateway,
  adminAccount,
  operate,
  fixture,
}) => {
  const { vendorId, credentialId } = fixture.vendor;
  const path = `/vendors/${vendorId}/credentials`;
  const body = { environment: 'Production', capabilities: 'Orders, Offers ,Orders' };
  const made = await operate('POST', path, body);
  const shown = expectCreated(made, 'Offers,Orders');
  const listed = await operate('GET', path);
  expect(itemsOf(listed)).toMatchObject([shown, { id: credentialId }]);
  const id = textOf(made, 'id');
  const entries = await gateway.sql`select * from audit_log where subject_id = ${id}`;
  const after = { vendorId, id, capabilities: 'Offers,Orders' };
  expect(entries).toMatchObject([
    { action: 'credential.create', operatorId: adminAccount.id, after },
  ]);
  const rows = await gateway.sql`select credentials::text from credentials where id = ${id}`;
  for (const text of [listed.text, JSON.stringify(entries), JSON.stringify(rows)])
    expect(text).not.toContain(textOf(made, 'clientSecret'));
});

test('issues what no credential of the vendor holds, and the vendor may then grant it', async ({
  operate,
  fixture,
}) => {
  await fixture.remove(fixture.vendor.credentialId);
  const issued = await operate('POST', `/vendors/${fixture.vendor.vendorId}/credentials`, {
    environment: 'Production',
    capabilities: 'Cost',
  });
  expect(issued.status).toBe(201);
  expect((await fixture.generate('Cost')).status).toBe(201);
  await fixture.remove(textOf(issued, 'id'));
  expect((await fixture.generate('Cost')).status).toBe(201);
  expect(await fixture.generate('Stock')).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR', { notHeld: ['Stock'] }),
  );
});
