import { v7 as uuidv7 } from 'uuid';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import type { Sql } from '../../../db/core/client.ts';
import { sha256 } from '../../../security/secrets.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { createClients } from '../contract/clients.ts';

/** The log-in of the operator that {@link seedOperator} adds. */
export const operator = { operatorId: 'demo-operator', operatorSecret: 'a-secret-of-the-demo' };

export const seedOperator = (sql: Sql): Promise<unknown> =>
  upsertOperator(sql, {
    id: uuidv7(),
    operatorId: operator.operatorId,
    secretSha256: sha256(operator.operatorSecret),
    roles: ['Admin'],
  });

/** The callers of an API process of a gateway: an operator, and the vendors that it adds. */
export async function callersOf({ sql }: TestGateway, apiUrl: string) {
  await seedOperator(sql);
  return createClients({ apiUrl, operator });
}
