import * as fc from 'fast-check';
import { expect, test as base } from 'vitest';
import { capabilities } from '../../../../domain/accounts/capabilities.ts';
import { newOperator } from '../../../support/api/actors.ts';
import { inProduction, newCredentialFixture } from './credential-fixture.ts';
import {
  explanationsOf,
  lineOf,
  type Command,
  type Credentials,
  type Explanation,
  type Outcome,
} from './credential-model.ts';
import { call, type Answer, type Gateway } from '../../../support/api/api.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { startTwoProcesses } from '../../../support/api/two-processes.ts';

// Concurrent commands on one vendor's credentials, in real transactions, sent to two API processes
// in turn. In every round, an order of the commands must explain the results, the stored rows and
// the audit entries.

/** What helpers need of a test's fixtures. */
type Fixtures = {
  readonly processes: Awaited<ReturnType<typeof startTwoProcesses>>;
  readonly gateway: Gateway;
  readonly staff: string;
};

const test = base
  .extend('processes', { scope: 'file' }, async ({}, { onCleanup }) => {
    const processes = await startTwoProcesses();
    onCleanup(() => processes.close());
    return processes;
  })
  .extend('gateway', { scope: 'file' }, ({ processes }) => processes.one)
  .extend('staff', { scope: 'file' }, async ({ gateway }) => (await newOperator(gateway)).token);

/** Makes the vendor's credentials, sends the commands all at once, and answers what came of it. */
async function play(
  { processes, gateway, staff }: Pick<Fixtures, 'processes' | 'gateway' | 'staff'>,
  start: Credentials,
  commands: readonly Command[],
  round: number,
): Promise<Explanation> {
  const fixture = await newCredentialFixture(gateway);
  const { vendor } = fixture;
  await fixture.remove(vendor.credentialId);
  const ids = new Map<string, string>();
  for (const [name, { capabilities: granted, isActive }] of Object.entries(start)) {
    ids.set(name, (await fixture.add(granted, { isActive })).id);
  }
  const send = (command: Command, position: number): Promise<Answer> => {
    const app = processes.both[(position + round) % 2 === 0 ? 0 : 1];
    if (command.kind === 'generate') {
      const body = { capabilities: command.wanted.join() };
      const headers = inProduction;
      return call(app, 'POST', '/api/v1/credentials', { token: vendor.token, headers, body });
    }
    const path = `v1/credentials/${ids.get(command.name)}`;
    if (command.kind === 'delete')
      return call(app, 'DELETE', `/api/${path}`, { token: vendor.token });
    const isVendors = command.by === 'vendor';
    return call(app, 'PATCH', `${isVendors ? '/api' : '/operator'}/${path}/active`, {
      token: isVendors ? vendor.token : staff,
      body: { isActive: command.isActive },
    });
  };
  // Who is sent first changes from round to round.
  const positions = commands.map((_command, position) => position);
  const runExclusive = [
    ...positions.slice(round % positions.length),
    ...positions.slice(0, round % positions.length),
  ];
  const outcomes: Outcome[] = [];
  await Promise.all(
    runExclusive.map(async (position) => {
      const command = commands[position];
      if (command === undefined) throw new Error('no such command');
      outcomes[position] = (await send(command, position)).state as Outcome;
    }),
  );
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const rows = await fixture.rows();
  const entries = await gateway.sql`
    select from audit_log where credential_id = ${vendor.credentialId}
      and subject_id <> ${vendor.credentialId}`;
  return {
    outcomes,
    ending: {
      lines: rows
        .map((row) => lineOf(names.get(row.id) ?? 'new', row.capabilities, row.isActive))
        .toSorted(),
      vendorEntries: entries.length,
    },
  };
}

const on = (...granted: Credentials[string]['capabilities']) => ({
  capabilities: granted,
  isActive: true,
});
const off = (...granted: Credentials[string]['capabilities']) => ({
  capabilities: granted,
  isActive: false,
});
const generate = (...wanted: Credentials[string]['capabilities']): Command => ({
  kind: 'generate',
  wanted,
});
const remove = (name: string): Command => ({ kind: 'delete', name });
const turn = (name: string, to: 'on' | 'off', by: 'vendor' | 'operator' = 'vendor'): Command => ({
  kind: 'switch',
  by,
  name,
  isActive: to === 'on',
});

test.for<[Credentials, ...Command[]]>([
  [{ a: on('Account'), b: on('Stock') }, remove('b'), remove('b')],
  [{ a: on('Account'), b: on('Stock') }, remove('b'), generate('Stock')],
  [{ a: on('Account'), b: on('Stock'), c: off('Stock') }, remove('b'), turn('c', 'on')],
  [{ a: on('Account', 'Stock'), b: off('Stock') }, turn('b', 'on'), turn('b', 'on')],
  [
    { a: on('Account'), b: off('Stock'), c: off('Stock'), d: on('Stock') },
    turn('b', 'on'),
    turn('c', 'on'),
    turn('d', 'off'),
  ],
  [
    { a: on('Account'), b: on('Stock'), c: off('Stock') },
    turn('c', 'on'),
    turn('c', 'off'),
    turn('b', 'off'),
    generate('Stock'),
  ],
  [{ a: on('Account'), b: on('Stock') }, turn('b', 'off'), generate('Stock')],
  [{ a: on('Stock') }, remove('a'), generate('Stock')],
  [{ a: on('Stock') }, turn('a', 'off'), generate('Stock'), generate('Stock')],
  [{ a: on('Stock'), b: on('Stock'), c: off('Stock') }, remove('a'), remove('b'), turn('c', 'on')],
  [
    { a: on('Stock'), b: on('Stock') },
    turn('b', 'off', 'operator'),
    turn('b', 'on'),
    turn('b', 'off'),
    turn('b', 'on', 'operator'),
  ],
  [
    { a: on('Account'), b: on('Stock'), c: off('Stock') },
    turn('b', 'off', 'operator'),
    generate('Stock'),
    turn('c', 'on'),
  ],
  [
    { a: on('Account'), b: off('Stock') },
    turn('b', 'on', 'operator'),
    generate('Stock'),
    remove('b'),
  ],
])(
  '%# has, in each round, the results of an order of the commands: %j',
  async ([start, ...commands], { processes, gateway, staff }) => {
    const possible = explanationsOf(start, commands);
    for (let round = 0; round < raceRounds; round += 1)
      expect(possible).toContainEqual(
        await play({ processes, gateway, staff }, start, commands, round),
      );
  },
);

test('any five concurrent commands have the results of an order of them', async ({
  processes,
  gateway,
  staff,
}) => {
  const names = ['a', 'b', 'c'];
  const granted = fc.shuffledSubarray([...capabilities], { minLength: 1, maxLength: 3 });
  const credential = fc.record({ capabilities: sorted(granted), isActive: fc.boolean() });
  const command = fc.oneof(
    sorted(granted).map((wanted) => generate(...wanted)),
    fc.constantFrom(...names).map(remove),
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom('on' as const, 'off' as const),
        fc.constantFrom('vendor' as const, 'operator' as const),
      )
      .map((given) => turn(...given)),
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ a: credential, b: credential, c: credential }),
      fc.array(command, { minLength: 5, maxLength: 5 }),
      async (start, commands) => {
        round += 1;
        expect(explanationsOf(start, commands)).toContainEqual(
          await play({ processes, gateway, staff }, start, commands, round),
        );
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});

/** In the order in which credentials keep them. */
function sorted(lists: fc.Arbitrary<(typeof capabilities)[number][]>) {
  return lists.map((list) => capabilities.filter((capability) => list.includes(capability)));
}
