import { migrate } from '../../../db/core/migrate.ts';
import type { Fault } from './fault.ts';

/** Parts of each story that end before the next step. */
const partsBetween = 2;

/** Both versions serve the clients, behind a proxy that asks `/ready`; no call may fail. */
export const sideBySide: Fault = {
  id: 'side-by-side',
  title: 'The version before the newest migration beside this one, both ways',
  how:
    'The older version begins on its own schema. The migration runs, and this version runs ' +
    'beside the older one and replaces it. On the new schema, the older version then replaces ' +
    'this one, and this one the older. A proxy before the APIs checks `/ready`. Each failed call ' +
    'is a finding.',
  needs: { older: true },
  pace: 5,
  inject: async (gateway, { goOn, reportFailedCalls }) => {
    const { older, databaseUrl, addApi, addWorker } = gateway;
    if (older === null) throw new Error('this drill needs an older version');
    const step = () => goOn(partsBetween);
    let parts = [gateway.api, gateway.worker];
    /** Replaces the processes one after the other, as an operator does. */
    const replaceBy = async (version: 'older' | 'present'): Promise<void> => {
      const next = [await addWorker(version), await addApi(version)];
      await step();
      for (const part of parts) {
        await part.shutDown();
        await step();
      }
      parts = next;
    };
    await step();
    await migrate(databaseUrl, () => undefined);
    await step();
    await replaceBy('present');
    await replaceBy('older');
    await replaceBy('present');
    reportFailedCalls();
    return Date.now();
  },
};
