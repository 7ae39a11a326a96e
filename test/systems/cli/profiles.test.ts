import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { cliTest, none, stubTest, succeedWith, type CommandLine } from './cli-fixture.ts';

// Which credential is stored, and which one a command uses.

const storedIn = async (cli: CommandLine, file = 'credentials.json'): Promise<unknown> =>
  JSON.parse(await readFile(join(cli.folder, 'vendor-gateway', file), 'utf8'));

cliTest(
  'does not replace the credential of another client without --replace',
  async ({ cli, gateway }) => {
    expect(await cli.run('login')).toMatchObject({ exitCode: 0 });
    const other = await newVendor(gateway);
    const first = cli.vendor;
    const asOther = {
      VENDOR_GATEWAY_CLIENT_ID: other.clientId,
      VENDOR_GATEWAY_CLIENT_SECRET: other.clientSecret,
    };
    // The same credential again, such as after a rotation, replaces itself.
    expect(await cli.run('login')).toMatchObject({ exitCode: 0 });
    cli.setEnvironment(asOther);
    expect(await cli.run('login')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        new RegExp(`CREDENTIAL_STORED: .*${first.clientId}.*--profile NAME.*--replace`),
      ),
    });
    expect(await storedIn(cli)).toMatchObject({ clientId: first.clientId });
    expect(await cli.run('login', '--profile', 'other')).toMatchObject({ exitCode: 0 });
    expect(await storedIn(cli, 'profiles/other.json')).toMatchObject({ clientId: other.clientId });
    expect(await cli.run('login', '--replace')).toMatchObject({ exitCode: 0 });
    expect(await storedIn(cli)).toMatchObject({ clientId: other.clientId });
  },
);

stubTest('registers nothing while another credential is stored', async ({ cli, stub }) => {
  const credential = { clientId: 'new', clientSecret: 'secret' };
  stub.answerWith(succeedWith({ accessToken: 'token', expiresIn: 300, credential }));
  expect(await cli.run('login')).toMatchObject({ exitCode: 0 });
  const sent = stub.requests.length;
  expect(await cli.run('sandbox', 'register', 'Amber')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('CREDENTIAL_STORED'),
  });
  expect(stub.requests).toHaveLength(sent);
  expect(await cli.run('sandbox', 'register', 'Amber', '--profile', 'amber')).toMatchObject({
    exitCode: 0,
  });
  expect(await storedIn(cli)).toMatchObject({ clientId: cli.vendor.clientId });
  expect(await storedIn(cli, 'profiles/amber.json')).toMatchObject(credential);
});

cliTest('uses the profile that is named, also beside variables', async ({ cli, gateway }) => {
  const other = await newVendor(gateway);
  await cli.run('login', '--profile', 'first');
  cli.setEnvironment({
    VENDOR_GATEWAY_CLIENT_ID: other.clientId,
    VENDOR_GATEWAY_CLIENT_SECRET: other.clientSecret,
    VENDOR_GATEWAY_PROFILE: 'second',
  });
  await cli.run('login');
  expect(await storedIn(cli, 'profiles/second.json')).toMatchObject({ clientId: other.clientId });

  const importOne = (id: string, ...options: readonly string[]) =>
    cli.importLines(
      ['vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive', `${id},B,P,1,false`],
      ...options,
    );
  // The variables would name the other vendor.
  await importOne('one', '--profile', 'first');
  cli.setEnvironment(none);
  await importOne('two');
  const offers = await gateway.sql<{ vendorId: string; id: string }[]>`
    select vendor_id, vendor_external_id as id from offers
    where vendor_id in (${cli.vendor.vendorId}, ${other.vendorId}) order by 2`;
  expect(offers).toEqual([
    { vendorId: cli.vendor.vendorId, id: 'one' },
    { vendorId: other.vendorId, id: 'two' },
  ]);
  expect(await cli.run('jobs', 'list', '--profile', 'third')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      'of the profile third. Run vendor-gateway login --profile third',
    ),
  });
  for (const wrong of ['../x', ''])
    expect(await cli.run('jobs', 'list', '--profile', wrong)).toMatchObject({ exitCode: 2 });
});

cliTest('names commands as they run by npx in the repository', async ({ cli }) => {
  cli.setEnvironment({ ...none, npm_lifecycle_event: 'npx' });
  expect(await cli.run('jobs', 'list')).toMatchObject({
    stderr: expect.stringContaining('Run npx --no vendor-gateway login'),
  });
});
