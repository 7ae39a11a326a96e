import * as fc from 'fast-check';
import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
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
import { call, type ApiResponse } from '../../../support/api/api.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { twoProcessesTest } from '../../../support/api/two-processes.ts';

// Concurrent commands on one vendor's credentials, in real transactions, sent to two API processes
// in turn. In every round, an order of the commands must explain the results, the stored rows and
// the audit entries.

/** Makes the vendor's credentials, sends the commands all at once, and returns the results. */
type Play = (
  start: Credentials,
  commands: readonly Command[],
  round: number,
) => Promise<Explanation>;

const test = twoProcessesTest.extend(
  'play',
  { scope: 'file' },
  async ({ processes: { one, at } }): Promise<Play> => {
    const { token: staff } = await newOperator(one);
    return async (start, commands, round) => {
      const { vendor, add, remove, rows } = await newCredentialFixture(one);
      const { token, credentialId } = vendor;
      await remove(credentialId);
      const ids = new Map<string, string>();
      for (const [name, { capabilities: granted, isActive }] of Object.entries(start))
        ids.set(name, (await add(granted, { isActive })).id);
      const send = (command: Command, index: number): Promise<ApiResponse> => {
        const app = at(index + round);
        if (command.kind === 'generate') {
          const body = { capabilities: command.wanted.join() };
          return call(app, 'POST', '/api/v1/credentials', { token, headers: inProduction, body });
        }
        const path = `v1/credentials/${ids.get(command.name)}`;
        if (command.kind === 'delete') return call(app, 'DELETE', `/api/${path}`, { token });
        const [side, by] = command.by === 'vendor' ? ['api', token] : ['operator', staff];
        const body = { isActive: command.isActive };
        return call(app, 'PATCH', `/${side}/${path}/active`, { token: by, body });
      };
      // The command that is sent first changes from round to round.
      const first = round % commands.length;
      const order = [...commands.keys()].map((index) => (index + first) % commands.length);
      const outcomes: Outcome[] = [];
      await Promise.all(
        order.map(async (index) => {
          const command = commands[index] ?? expect.unreachable();
          outcomes[index] = (await send(command, index)).state as Outcome;
        }),
      );
      const names = new Map([...ids].map(([name, id]) => [id, name]));
      const lines = (await rows()).map((row) =>
        lineOf(names.get(row.id) ?? 'new', row.capabilities, row.isActive),
      );
      const entries = await one.sql`
        select from audit_log where credential_id = ${credentialId}
          and subject_id <> ${credentialId}`;
      return { outcomes, lines: lines.toSorted(), vendorEntries: entries.length };
    };
  },
);

type Granted = readonly Capability[];
const on = (...granted: Granted) => ({ capabilities: granted, isActive: true });
const off = (...granted: Granted) => ({ capabilities: granted, isActive: false });
const generate = (...wanted: Granted): Command => ({ kind: 'generate', wanted });
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
  [{ a: on('Stock') }, turn('a', 'on')],
  [{ a: on('Stock') }, turn('a', 'off'), turn('a', 'on')],
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
  '%#: has the results of some order of the concurrent commands on the credentials %j',
  async ([start, ...commands], { play }) => {
    const possible = explanationsOf(start, commands);
    for (let round = 0; round < raceRounds; round += 1)
      expect(possible).toContainEqual(await play(start, commands, round));
  },
);

test('has the results of some order of any five concurrent commands', async ({ play }) => {
  const name = fc.constantFrom('a', 'b', 'c');
  // In the order in which credentials keep them.
  const granted = fc
    .shuffledSubarray([...capabilities], { minLength: 1, maxLength: 3 })
    .map((list) => capabilities.filter((capability) => list.includes(capability)));
  const credential = fc.record({ capabilities: granted, isActive: fc.boolean() });
  const to = fc.constantFrom('on' as const, 'off' as const);
  const by = fc.constantFrom('vendor' as const, 'operator' as const);
  const command = fc.oneof(
    granted.map((wanted) => generate(...wanted)),
    name.map(remove),
    fc.tuple(name, to, by).map((given) => turn(...given)),
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ a: credential, b: credential, c: credential }),
      fc.array(command, { minLength: 5, maxLength: 5 }),
      async (start, commands) => {
        round += 1;
        const found = await play(start, commands, round);
        expect(explanationsOf(start, commands)).toContainEqual(found);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
