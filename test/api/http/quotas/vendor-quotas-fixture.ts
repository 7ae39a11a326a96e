import type { Dependencies } from '../../../../api/dependencies.ts';
import { createCallQuota } from '../../../../api/http/quotas/call-quota.ts';
import { gatewayOver } from '../../../support/api/api.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

/** The API over a database of the file's own. */
export const quotasTest = databaseTest.extend('gateway', { scope: 'file' }, ({ sql }) =>
  gatewayOver(sql),
);

export const waitingMax = 40;

const quota = (max: number) => createCallQuota({ max, waitingMax, waitMs: 30_000 });

/** A given number of calls at a time for each vendor, and one list. */
export const quotasOf = (calls: number): Dependencies['vendorQuotas'] => ({
  calls: quota(calls),
  lists: quota(1),
  waits: quota(calls),
  polls: quota(calls),
});
