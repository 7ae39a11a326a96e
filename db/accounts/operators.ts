import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';

export type Operator = {
  readonly id: string;
  /** The name the operator logs in with. */
  readonly operatorId: string;
  readonly secretSha256: Uint8Array;
  readonly roles: readonly OperatorRole[];
  readonly isActive: boolean;
};

export const operatorColumns = columnsOf<Operator>('operators', {
  id: 'uuid',
  operatorId: 'text',
  secretSha256: 'bytea',
  roles: 'text[]',
  isActive: 'boolean',
});

export const findOperator = (sql: Queryable, operatorId: string): Promise<Operator | null> =>
  firstOf(sql<Operator[]>`
    select ${operatorColumns.list(sql)} from operators where operator_id = ${operatorId}`);

/** Creates the operator, or gives the one of that name this secret and these roles. */
export async function upsertOperator(
  sql: Queryable,
  operator: Omit<Operator, 'isActive'>,
): Promise<void> {
  const { id, operatorId, secretSha256, roles } = operator;
  await sql`
    insert into operators (id, operator_id, secret_sha256, roles)
    values (${id}, ${operatorId}, ${Buffer.from(secretSha256)}, ${[...roles]})
    on conflict (operator_id) do update
      set secret_sha256 = excluded.secret_sha256, roles = excluded.roles, is_active = true`;
}
