import { connect } from '../../../db/core/client.ts';
import { createTestDatabase } from '../database/database.ts';
import { gatewayOver, type Gateway } from './api.ts';

/**
 * What two processes of the API share, and nothing more: the database, and the keys that tokens are
 * signed with.
 */
export async function startTwoProcesses(): Promise<{
  readonly one: Gateway;
  readonly both: readonly [Gateway, Gateway];
  readonly close: () => Promise<void>;
}> {
  const database = await createTestDatabase();
  const start = async (name: string): Promise<Gateway> => {
    const sql = connect(database.url, { max: 10, name });
    const gateway = await gatewayOver(sql);
    return {
      ...gateway,
      close: async () => {
        await gateway.app.close();
        await sql.end({ timeout: 5 });
      },
    };
  };
  const both = [await start('api test'), await start('other api test')] as const;
  return {
    one: both[0],
    both,
    close: async () => {
      for (const gateway of both) await gateway.close();
      await database.drop();
    },
  };
}
