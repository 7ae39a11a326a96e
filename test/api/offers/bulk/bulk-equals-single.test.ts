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
} from './bulk-model.ts';

test('stores and returns for n items what n single pushes do', async ({ gateway }) => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(anyBulkCommand, { minLength: 1, maxLength: 5 }),
    async (offers, commands) => {
      const [single, bulk] = await Promise.all([
        createWorld(gateway, offers),
        createWorld(gateway, offers),
      ]);
      for (const command of commands) {
        if (command.type === 'push') {
          const singly = await pushSingly(gateway, single, command);
          expect(await pushBulk(gateway, bulk, command)).toEqual(singly);
          for (const { state } of singly) seen.add(state);
        } else for (const world of [single, bulk]) await runOther(gateway, world, command);
        expect(await storedState(gateway, bulk)).toEqual(await storedState(gateway, single));
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  // The pushes reached every kind of answer.
  expect([...seen].toSorted()).toEqual(['NOT_FOUND_VENDOR_OFFER', 'SUCCESS', 'VALIDATION_ERRORS']);
}, 300_000);
