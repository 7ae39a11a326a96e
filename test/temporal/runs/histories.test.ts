import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { listHistories } from '../../../temporal/runs/histories.ts';

const runIds = Array.from({ length: 25 }, (_, index) => `run-${index}`);

async function* list() {
  for (const runId of runIds) yield await Promise.resolve({ workflowId: 'workflow', runId });
}

/** A client whose list has these runs. */
function fakeClient(fetchHistory: (runId: string) => Promise<object>): Client {
  return {
    options: { loadedDataConverter: { payloadCodecs: [] } },
    workflow: {
      list,
      getHandle: (_: string, runId: string) => ({ fetchHistory: () => fetchHistory(runId) }),
    },
  } as unknown as Client;
}

const read = async (client: Client): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { run } of listHistories(client, '')) found.push(run.runId);
  return found;
};

test('yields histories in the order of the list, and fetches some at once', async () => {
  let underWay = 0;
  let most = 0;
  const client = fakeClient(async (runId) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await delay(30 - Number(runId.slice(4)));
    underWay -= 1;
    return { events: [] };
  });
  expect(await read(client)).toEqual(runIds);
  expect(most).toBe(10);
});

test('fails the list when a history cannot be read', async () => {
  const client = fakeClient((runId) =>
    runId === 'run-7' ? Promise.reject(new Error('gone')) : Promise.resolve({ events: [] }),
  );
  await expect(read(client)).rejects.toThrow('gone');
});
