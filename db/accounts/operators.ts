import { nameForm } from '../../domain/texts/typed-text.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Language, OperatorSettings } from '../../domain/accounts/operator-settings.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf, hasRows } from '../core/rows.ts';
import { shareReads } from '../core/shared-statements.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';

const operatorTypes = {
  id: 'uuid',
  /** The name the operator logs in with. */
  operatorId: 'text',
  roles: 'text[]',
  isActive: 'boolean',
  /** The generation of the tokens that are accepted; the first one is 1. */
  tokenGeneration: 'integer',
  createdAt: 'timestamptz',
  /** Null until the operator chooses one. */
  language: 'text?',
  /** An IANA zone; null until the operator chooses one. */
  timeZone: 'text?',
  /** Whether the console has keys. */
  keys: 'boolean',
} as const;

/** An operator without the digest of the secret. */
export type Operator = RowOf<
  typeof operatorTypes,
  { roles: readonly OperatorRole[]; language: Language | null }
>;
export const operatorColumns = columnsOf<Operator>('operators', operatorTypes);

type NewOperator = Pick<Operator, 'id' | 'operatorId' | 'roles'> & {
  readonly secretSha256: Uint8Array;
};

/** The stored names that look like this one. */
async function namesAlike(sql: Queryable, operatorId: string): Promise<readonly string[]> {
  const stored = await sql<{ operatorId: string }[]>`select operator_id from operators`;
  const asked = nameForm(operatorId);
  return stored.map((each) => each.operatorId).filter((name) => nameForm(name) === asked);
}

/**
 * The name of an operator as it is stored: the given one, else the only one that looks the same;
 * null without one. It does the same work for each name, so that its time tells nothing.
 */
export async function storedOperatorId(sql: Queryable, operatorId: string): Promise<string | null> {
  const alike = await namesAlike(sql, operatorId);
  if (alike.includes(operatorId)) return operatorId;
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

/** An operator by its name, or by one that looks the same. */
export async function findOperator(sql: Queryable, operatorId: string): Promise<Operator | null> {
  const stored = await storedOperatorId(sql, operatorId);
  return firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operators where operator_id = ${stored}`);
}

/** Creates an operator, in a transaction; null when another one has a name that looks the same. */
export async function insertOperator(sql: Queryable, operator: NewOperator) {
  // Of two calls, the second one sees the name of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('operators', 6))`;
  if ((await namesAlike(sql, operator.operatorId)).length > 0) return null;
  return firstOf(sql<Operator[]>`
    insert into operators ${sql(operator, 'id', 'operatorId', 'secretSha256', 'roles')}
    on conflict (operator_id) do nothing returning ${operatorColumns.list(sql)}`);
}

/**
 * Creates the operator, or gives the operator whose name is or looks the same this secret and these
 * roles, unless its secret was rotated or it was deactivated. Another secret ends its tokens.
 */
export async function upsertOperator(sql: Queryable, operator: NewOperator): Promise<void> {
  const stored = await storedOperatorId(sql, operator.operatorId);
  const row = { ...operator, operatorId: stored ?? operator.operatorId };
  await sql`
    insert into operators ${sql(row, 'id', 'operatorId', 'secretSha256', 'roles')}
    on conflict (operator_id) do update
      set secret_sha256 = excluded.secret_sha256, roles = excluded.roles,
        token_generation = operators.token_generation
          + (operators.secret_sha256 <> excluded.secret_sha256)::int
      where not operators.is_managed`;
}

/** Whether the operator is active and its secret has this digest. */
export async function canLogIn(
  sql: Queryable,
  { operatorId, secretSha256 }: Pick<NewOperator, 'operatorId' | 'secretSha256'>,
): Promise<boolean> {
  const stored = await storedOperatorId(sql, operatorId);
  return hasRows(sql`
    select 1 from operators
    where operator_id = ${stored} and secret_sha256 = ${secretSha256}
      and is_active`);
}

/** Newest first. */
export const listOperators = (sql: Queryable, request: PageRequest): Promise<Page<Operator>> =>
  readNewest(sql, request, operatorColumns);

export type TokenOwner = Pick<Operator, 'id' | 'tokenGeneration'>;

/** The most tokens that one statement checks. */
const checkedTokensMax = 100;

/**
 * Creates a function that says whether an operator is active and its tokens of this generation are
 * accepted. Calls that arrive during a check share the next statement (decision 0008).
 */
export function createTokenCheck(sql: Queryable): (owner: TokenOwner) => Promise<boolean> {
  const check = shareReads({
    read: async (owners: readonly TokenOwner[]) => {
      const ids = [...new Set(owners.map(({ id }) => id))];
      // The subselect hides the length of the array from the planner, as in `findOrderFacts`.
      const rows = await sql<TokenOwner[]>`
        select id, token_generation from operators
        where id = any((select ${ids}::uuid[])::uuid[]) and is_active`;
      const accepted = new Map(rows.map(({ id, tokenGeneration }) => [id, tokenGeneration]));
      return owners.map(({ id, tokenGeneration }) => accepted.get(id) === tokenGeneration);
    },
    sizeMax: checkedTokensMax,
  });
  return async (owner) => (await check(owner)) === true;
}

/**
 * Locks the active Admins until the transaction ends, in one order, and returns their ids. Of two
 * commands on operators, the second one sees the result of the first.
 */
export async function lockActiveAdmins(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from operators where is_active and 'Admin' = any(roles) order by id for update`;
  return rows.map(({ id }) => id);
}

/** Locks an operator until the transaction ends. Call {@link lockActiveAdmins} first. */
export const lockOperator = (sql: Queryable, id: string): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operators where id = ${id} for update`);

/**
 * The settings of the operator of a token: operators are never deleted. `isLocked`: against other
 * changes, until the transaction ends.
 */
export async function readOperatorSettings(sql: Queryable, id: string, { isLocked = false } = {}) {
  const [settings] = await sql<[OperatorSettings]>`
    select language, time_zone, keys from operators where id = ${id}
    ${isLocked ? sql`for no key update` : sql``}`;
  return settings;
}

export async function storeOperatorSettings(
  sql: Queryable,
  id: string,
  settings: OperatorSettings,
): Promise<void> {
  await sql`
    update operators set ${sql(settings, 'language', 'timeZone', 'keys')} where id = ${id}`;
}

/**
 * Switches an operator, or replaces its secret. A deactivation and another secret invalidate its
 * tokens for good.
 */
export async function changeOperator(
  sql: Queryable,
  id: string,
  change: { readonly isActive: boolean } | { readonly secretSha256: Uint8Array },
): Promise<void> {
  const keepsTokens = 'isActive' in change && change.isActive;
  await sql`
    update operators set ${sql(change)}, is_managed = true,
      token_generation = token_generation + ${keepsTokens ? 0 : 1}
    where id = ${id}`;
}
