import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';

const operatorTypes = {
  id: 'uuid',
  /** The name the operator logs in with. */
  operatorId: 'text',
  secretSha256: 'bytea',
  roles: 'text[]',
  isActive: 'boolean',
} as const;

export type Operator = RowOf<typeof operatorTypes, { roles: readonly OperatorRole[] }>;
export const operatorColumns = columnsOf<Operator>('operators', operatorTypes);

export const findOperator = (sql: Queryable, operatorId: string): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operators where operator_id = ${operatorId}`);

/** Creates the operator, or gives the one of that name this secret and these roles. */
export async function upsertOperator(
  sql: Queryable,
  operator: Omit<Operator, 'isActive'>,
): Promise<void> {
  const row = { ...operator, secretSha256: Buffer.from(operator.secretSha256) };
  await sql`
    insert into operators ${sql(row, 'id', 'operatorId', 'secretSha256', 'roles')}
    on conflict (operator_id) do update
      set secret_sha256 = excluded.secret_sha256, roles = excluded.roles, is_active = true`;
}
