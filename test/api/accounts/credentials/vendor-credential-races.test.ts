import * as fc from 'fast-check';
import { expect } from 'vitest';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { newOperator } from '../../../support/api/actors.ts';
import { inProduction, newCredentialFixture } from './credential-fixture.ts';
import { call, type ApiResponse } from '../../../support/api/api.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { twoProcessesTest } from '../../../support/api/two-processes.ts';
import type { ErrorCode } from '../../../../domain/errors.ts';

/**
 * A vendor's credentials as the rules know them, each by a name; one that is generated is called by
 * what it may do.
 */
type Credentials = Readonly<
  Record<
    string,
    {
      readonly capabilities: readonly Capability[];
      readonly isActive: boolean;
      /** An operator switched it off, so only an operator activates it again (D82). */
      readonly isRevoked?: boolean;
    }
  >
>;

type Command =
  | { readonly kind: 'generate'; readonly wanted: readonly Capability[] }
  | {
      readonly kind: 'switch';
      readonly by: 'vendor' | 'operator';
      readonly name: string;
      readonly isActive: boolean;
    }
  | { readonly kind: 'delete'; readonly name: string };

type Outcome = 'SUCCESS' | ErrorCode;
/**
 * What the commands come to: the code of each, the credentials as sorted lines, and how many
 * changes the vendor made.
 */
type Explanation = {
  readonly outcomes: readonly Outcome[];
  readonly lines: readonly string[];
  readonly vendorEntries: number;
};

type State = { readonly credentials: Credentials; readonly vendorEntries: number };

/** The rule of part 4, Credentials, in other words. */
function refusalOf(wanted: readonly Capability[], others: Credentials): Outcome | null {
  const active = Object.values(others).filter(({ isActive }) => isActive);
  if (active.length === 0) return 'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING';
  const union = new Set(active.flatMap(({ capabilities }) => capabilities));
  return wanted.every((capability) => union.has(capability))
    ? null
    : 'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR';
}

function step(state: State, command: Command): readonly [Outcome, State] {
  const { credentials, vendorEntries } = state;
  const noted = (changed: Credentials): readonly [Outcome, State] => [
    'SUCCESS',
    { credentials: changed, vendorEntries: vendorEntries + 1 },
  ];
  if (command.kind === 'generate') {
    const refusal = refusalOf(command.wanted, credentials);
    if (refusal !== null) return [refusal, state];
    const name = `new ${Object.keys(credentials).length} ${vendorEntries}`;
    return noted({ ...credentials, [name]: { capabilities: command.wanted, isActive: true } });
  }
  const { [command.name]: meant, ...others } = credentials;
  if (meant === undefined) return ['NOT_FOUND_VENDOR_CREDENTIAL', state];
  if (command.kind === 'delete') return noted(others);
  const { isActive, by } = command;
  if (by === 'operator') {
    const changed = { ...meant, isActive, isRevoked: !isActive };
    return ['SUCCESS', { ...state, credentials: { ...credentials, [command.name]: changed } }];
  }
  if (meant.isActive === isActive) return ['SUCCESS', state];
  if (meant.isRevoked === true) return ['FORBIDDEN', state];
  const refusal = isActive ? refusalOf(meant.capabilities, others) : null;
  if (refusal !== null) return [refusal, state];
  return noted({ ...credentials, [command.name]: { ...meant, isActive } });
}

/** A credential as a line; which of several generated ones it is does not matter. */
const lineOf = (name: string, capabilities: readonly Capability[], isActive: boolean): string =>
  `${name.startsWith('new') ? 'new' : name} ${capabilities.join('+')} ${isActive ? 'on' : 'off'}`;

function ordersOf(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  const shorter = ordersOf(count - 1);
  return shorter.flatMap((order) =>
    Array.from({ length: count }, (_, position) => order.toSpliced(position, 0, count - 1)),
  );
}

/**
 * What the commands come to, in each order in which they could have been made one after another.
 */
const explanationsOf = (start: Credentials, commands: readonly Command[]): readonly Explanation[] =>
  ordersOf(commands.length).map((order) => {
    let state: State = { credentials: start, vendorEntries: 0 };
    const outcomes: Outcome[] = [];
    for (const position of order) {
      const command = commands[position];
      if (command === undefined) throw new Error('no such command');
      [outcomes[position], state] = step(state, command);
    }
    const lines = Object.entries(state.credentials).map(([name, { capabilities, isActive }]) =>
      lineOf(name, capabilities, isActive),
    );
    return { outcomes, lines: lines.toSorted(), vendorEntries: state.vendorEntries };
  });

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
