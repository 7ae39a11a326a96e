import { randomUUID } from 'node:crypto';
import type { Argv } from 'yargs';
import { credentialsOf, type Credential, type VendorClient } from 'vendor-gateway-client';
import { calling, idOf, limitOption, listing, type CallOptions } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { readSandboxClock } from '../core/sandbox-clock.ts';
import { required } from '../core/option-kinds.ts';

/** The calls on credentials, which name the environment of the gateway. */
async function credentialsIn(
  client: VendorClient,
  options: CallOptions,
): Promise<VendorClient['credentials']> {
  const clock = await readSandboxClock(client, options);
  return credentialsOf(client.http, clock === null ? 'Production' : 'Sandbox');
}

const header = ['ID', 'CLIENT ID', 'ACTIVE', 'CAPABILITIES', 'EXPIRES'];
const rowOf = ({ id, clientId, isActive, capabilities, expirationDate }: Credential) => [
  id,
  clientId,
  isActive ? 'yes' : 'no',
  capabilities,
  expirationDate,
];

function addCreate(credentials: Argv<CommonArguments>, run: Run): Argv<CommonArguments> {
  return credentials.command(
    'create <capabilities>',
    'Create a credential, and print its secret once',
    (command) =>
      command
        .positional('capabilities', required('What it may do, such as Offers,Stock'))
        .example('$0 credentials create Offers,Stock', 'For a program of a shop'),
    run(
      calling(
        async (client, { capabilities }, options) => {
          const own = await credentialsIn(client, options);
          return own.create({ capabilities }, { idempotencyKey: randomUUID(), ...options });
        },
        ({ clientId, clientSecret }) =>
          `The client id is ${clientId}\nIts secret is ${clientSecret}\n` +
          'No later response has it, and it is not stored here.',
        { hasSecret: true },
      ),
    ),
  );
}

/** `credentials`. */
export function addCredentialCommands(cli: Argv<CommonArguments>, run: Run): void {
  cli.command('credentials', 'List, create and end credentials', (credentials) => {
    addCreate(credentials, run).command(
      'list',
      'List your credentials',
      (command) =>
        command
          .option('limit', limitOption)
          .example('$0 credentials list', 'Which ones are active'),
      run(
        listing(
          async (client, _, options) => (await credentialsIn(client, options)).list(options),
          { header, rowOf, none: 'There are no credentials.' },
        ),
        'reads',
      ),
    );
    for (const [name, isActive, describe] of [
      ['activate', true, 'Let a credential log in again'],
      ['deactivate', false, 'Refuse the log-ins of a credential'],
    ] as const)
      credentials.command(
        `${name} <id>`,
        describe,
        (command) => idOf(command, 'Credential').example(`$0 credentials ${name} ID`, describe),
        run(
          calling(
            (client, { id }, options) => client.credentials.setActive(id, isActive, options),
            (_, { id }) => `Credential ${id} is ${isActive ? 'active' : 'inactive'}.`,
          ),
        ),
      );
    return credentials
      .command(
        'delete <id>',
        'Delete a credential',
        (command) =>
          idOf(command, 'Credential').example('$0 credentials delete ID', 'It never logs in again'),
        run(
          calling(
            async (client, { id }, options) => {
              await client.credentials.delete(id, options);
              return { id, deleted: true };
            },
            (_, { id }) => `Credential ${id} is deleted.`,
          ),
        ),
      )
      .demandCommand(1, 'Name a command of credentials; --help lists them')
      .example('$0 credentials list', 'Which ones are active');
  });
}
