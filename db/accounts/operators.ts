import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf, hasRows } from '../core/rows.ts';
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
} as const;

/** An operator without the digest of the secret. */
export type Operator = RowOf<typeof operatorTypes, { roles: readonly OperatorRole[] }>;
export const operatorColumns = columnsOf<Operator>('operators', operatorTypes);

type NewOperator = Pick<Operator, 'id' | 'operatorId' | 'roles'> & {
  readonly secretSha256: Uint8Array;
};

export const findOperator = (sql: Queryable, operatorId: string): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operators where operator_id = ${operatorId}`);

/** Creates an operator; null when another one has the name. */
export const insertOperator = (sql: Queryable, operator: NewOperator): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    insert into operators ${sql(operator, 'id', 'operatorId', 'secretSha256', 'roles')}
    on conflict (operator_id) do nothing returning ${operatorColumns.list(sql)}`);

/**
 * Creates the operator, or gives the one of that name this secret and these roles, unless
 * its secret was rotated or it was deactivated (D86). Another secret invalidates its tokens.
 */
export async function upsertOperator(sql: Queryable, operator: NewOperator): Promise<void> {
  await sql`
    insert into operators ${sql(operator, 'id', 'operatorId', 'secretSha256', 'roles')}
    on conflict (operator_id) do update
      set secret_sha256 = excluded.secret_sha256, roles = excluded.roles,
        token_generation = operators.token_generation
          + (operators.secret_sha256 <> excluded.secret_sha256)::int
      where not operators.is_managed`;
}

/** Whether the operator is active and the digest is that of its secret. */
export const canLogIn = (
  sql: Queryable,
  { operatorId, secretSha256 }: Pick<NewOperator, 'operatorId' | 'secretSha256'>,
): Promise<boolean> =>
  hasRows(sql`
    select 1 from operators
    where operator_id = ${operatorId} and secret_sha256 = ${secretSha256}
      and is_active`);

/** Newest first. */
export const listOperators = (sql: Queryable, request: PageRequest): Promise<Page<Operator>> =>
  readNewest(sql, request, operatorColumns);

export type TokenOwner = Pick<Operator, 'id' | 'tokenGeneration'>;

/** Whether the operator is active and its tokens of this generation are accepted (D86). */
export async function acceptsToken(
  sql: Queryable,
  { id, tokenGeneration }: TokenOwner,
): Promise<boolean> {
  const rows = await sql`
    select from operators where id = ${id} and token_generation = ${tokenGeneration} and is_active`;
  return rows.length > 0;
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

/** Switches an operator; a deactivation invalidates its tokens for good. */
export async function setOperatorActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`
    update operators
    set is_active = ${isActive}, is_managed = true,
      token_generation = token_generation + ${isActive ? 0 : 1}
    where id = ${id}`;
}

/** Replaces an operator's secret, which invalidates its tokens. */
export async function replaceOperatorSecret(
  sql: Queryable,
  id: string,
  secretSha256: Uint8Array,
): Promise<void> {
  await sql`
    update operators
    set secret_sha256 = ${secretSha256}, is_managed = true,
      token_generation = token_generation + 1
    where id = ${id}`;
}
