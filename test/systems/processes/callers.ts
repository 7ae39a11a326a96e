import type { Sql } from '../../../db/core/client.ts';
import { addOperator } from '../../support/api/actors.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { createClients } from '../contract/clients.ts';

/** The log-in of the operator that {@link seedOperator} adds. */
export const operator = { operatorId: 'demo-operator', operatorSecret: 'a-secret-of-the-demo' };

export const seedOperator = (sql: Sql): Promise<unknown> => addOperator(sql, ['Admin'], operator);

/** The callers of an API process of a gateway: an operator, and the vendors that it adds. */
export async function callersOf({ sql }: TestGateway, apiUrl: string) {
  await seedOperator(sql);
  return createClients({ apiUrl, operator });
}
