import type { Dependencies } from '../../../api/dependencies.ts';
import { connect } from '../../../db/core/client.ts';
import { databaseTest } from '../database/database-test.ts';
import { gatewayOver } from './api.ts';

const none: Partial<Dependencies> = {};

/**
 * Gives a file two processes of the API; `overrides` replaces dependencies. They share the database
 * and the keys that sign tokens, and nothing more.
 */
export const twoProcessesTest = databaseTest
  .extend('overrides', { scope: 'file' }, none)
  .extend('processes', { scope: 'file' }, async ({ database, sql, overrides }, { onCleanup }) => {
    const otherSql = connect(database.url, { max: 10, name: 'other api test' });
    const [one, other] = [
      await gatewayOver(sql, overrides),
      await gatewayOver(otherSql, overrides),
    ];
    onCleanup(async () => {
      for (const { app } of [one, other]) await app.close();
      await otherSql.end({ timeout: 5 });
    });
    /** The process that gets the call of this number, if the calls alternate. */
    const at = (index: number) => (index % 2 === 0 ? one : other);
    return { one, both: [one, other] as const, at };
  });
