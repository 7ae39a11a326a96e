import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { requireEnvironment } from '../../../db/core/installation.ts';
import { migrate } from '../../../db/core/migrate.ts';
import { addVendor, emptyDatabase } from '../support.ts';

test('gives a database its environment at the first migration, and refuses another', async () => {
  const { url, sql, lines, log } = await emptyDatabase();
  await migrate(url, log, 'Sandbox');
  await requireEnvironment(sql, 'Sandbox');
  lines.splice(0);
  const refusal = 'belongs to a Sandbox installation, and GATEWAY_ENVIRONMENT is Production';
  await expect(migrate(url, log, 'Production')).rejects.toThrow(refusal);
  await expect(requireEnvironment(sql, 'Production')).rejects.toThrow(refusal);
  expect(lines).toEqual([]);
});

test('refuses a database that is not migrated, and says what to run', async () => {
  const { sql } = await emptyDatabase();
  await expect(requireEnvironment(sql, 'Production')).rejects.toThrow('npm run migrate');
});

test.for([
  [['Production'], 'Production', 'Sandbox'],
  [['Sandbox'], 'Sandbox', 'Production'],
  [['Sandbox', 'Production'], 'Production', 'Sandbox'],
] as const)(
  'takes the environment of an earlier version from credentials of %j: %s',
  async ([ofCredentials, own, other]) => {
    const { url, sql } = await emptyDatabase();
    await migrate(url, () => undefined);
    const vendorId = await addVendor(sql);
    for (const environment of ofCredentials)
      await sql`
        insert into credentials
          (id, vendor_id, environment, client_id, secret_sha256, capabilities, expires_at)
        values (gen_random_uuid(), ${vendorId}, ${environment}, gen_random_uuid(),
          ${randomBytes(32)}, '{Offers}', now() + interval '1 day')`;
    await sql`drop table installation`;
    await expect(migrate(url, () => undefined, other)).rejects.toThrow(`belongs to a ${own}`);
    await migrate(url, () => undefined, own);
    await requireEnvironment(sql, own);
  },
);
