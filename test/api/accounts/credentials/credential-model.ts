import type { Capability } from '../../../../domain/accounts/capabilities.ts';
import type { ErrorCode } from '../../../../domain/errors.ts';

/**
 * A vendor's credentials as the rules know them, each by a name; one that is generated is called by
 * what it may do.
 */
export type Credentials = Readonly<
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

export type Command =
  | { readonly kind: 'generate'; readonly wanted: readonly Capability[] }
  | {
      readonly kind: 'switch';
      readonly by: 'vendor' | 'operator';
      readonly name: string;
      readonly isActive: boolean;
    }
  | { readonly kind: 'delete'; readonly name: string };

export type Outcome = 'SUCCESS' | ErrorCode;
/**
 * What the commands come to: the code of each, the credentials as sorted lines, and how many
 * changes the vendor made.
 */
export type Explanation = {
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
export const lineOf = (
  name: string,
  capabilities: readonly Capability[],
  isActive: boolean,
): string =>
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
export const explanationsOf = (
  start: Credentials,
  commands: readonly Command[],
): readonly Explanation[] =>
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
