import { expect, test } from 'vitest';
import { startCostsGateway } from './costs-gateway.ts';
import { differencesFromLedger, writeLedger } from './ledger.ts';
import { measureCosts } from './measure.ts';
import { costedOperations } from './operations.ts';

test(
  'each operation costs what bench/costs.md says',
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const costs = await startCostsGateway();
    onTestFinished(costs.stop);
    const measured = await measureCosts(costs, await costedOperations(costs));
    if (process.env['RECORD_COSTS'] !== undefined) await writeLedger(measured);
    expect(await differencesFromLedger(measured)).toEqual([]);
  },
);
