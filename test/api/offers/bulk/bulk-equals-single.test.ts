import * as fc from 'fast-check';
import { expect } from 'vitest';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  anyBulkCommand,
  anyWorld,
  createWorld,
  pushBulk,
  pushSingly,
  runOther,
  storedState,
  type Command,
  type World,
} from './bulk-model.ts';
import type { Gateway } from '../../../support/api/api.ts';

/**
 * Runs a command on both worlds: one item after the other in the first, in one call in the second.
 */
async function runBoth(
  gateway: Gateway,
  [single, bulk]: readonly [World, World],
  command: Command,
  seen: Set<string>,
): Promise<void> {
  if (command.type !== 'push') {
    for (const world of [single, bulk]) await runOther(gateway, world, command);
    return;
  }
  const singly = await pushSingly(gateway, single, command);
  const together = await pushBulk(gateway, bulk, command);
  expect(together).toEqual(singly);
  for (const { state } of singly) seen.add(state);
}

test('stores and returns for n items what n single pushes do', async ({ gateway }) => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(anyBulkCommand, { minLength: 1, maxLength: 5 }),
    async (offers, commands) => {
      const worlds = await Promise.all([
        createWorld(gateway, offers),
        createWorld(gateway, offers),
      ]);
      for (const command of commands) {
        await runBoth(gateway, worlds, command, seen);
        const [single, bulk] = [
          await storedState(gateway, worlds[0]),
          await storedState(gateway, worlds[1]),
        ];
        expect(bulk).toEqual(single);
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  // The pushes reached every kind of answer.
  expect([...seen].toSorted()).toEqual(['NOT_FOUND_VENDOR_OFFER', 'SUCCESS', 'VALIDATION_ERRORS']);
}, 300_000);
