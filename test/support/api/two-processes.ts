import { test } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { connect } from '../../../db/core/client.ts';
import { createTestDatabase } from '../database/database.ts';
import { gatewayOver, type Gateway } from './api.ts';

/**
 * What two processes of the API share, and nothing more: the database, and the keys that tokens are
 * signed with.
 */
export async function startTwoProcesses(overrides: Partial<Dependencies> = {}) {
  const database = await createTestDatabase();
  const start = async (name: string): Promise<Gateway> => {
    const sql = connect(database.url, { max: 10, name });
    const gateway = await gatewayOver(sql, overrides);
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
    /** The process that gets the call of this number, if the calls alternate. */
    at: (index: number): Gateway => both[index % 2 === 0 ? 0 : 1],
    close: async () => {
      for (const gateway of both) await gateway.close();
      await database.drop();
    },
  };
}

const none: Partial<Dependencies> = {};

/** Gives a file two processes of the API; `overrides` replaces dependencies. */
export const twoProcessesTest = test
  .extend('overrides', { scope: 'file' }, none)
  .extend('processes', { scope: 'file' }, async ({ overrides }, { onCleanup }) => {
    const processes = await startTwoProcesses(overrides);
    onCleanup(() => processes.close());
    return processes;
  });
