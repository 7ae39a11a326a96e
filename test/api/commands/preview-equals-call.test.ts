import * as fc from 'fast-check';
import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { anyWorld, createWorld, runOther } from '../offers/bulk/bulk-model.ts';
import { checksums } from './creations.ts';
import { anyPreviewedCall, onWorld, outcomeOf, send } from './preview-model.ts';

test('a preview returns what the call then returns, and changes nothing', async ({ gateway }) => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(anyPreviewedCall, { minLength: 4, maxLength: 10 }),
    fc.boolean(),
    async (offers, calls, isSwitched) => {
      const world = await createWorld(gateway, offers);
      if (isSwitched) await runOther(gateway, world, { type: 'switch' });
      for (const each of calls) {
        const sent = onWorld(each, world);
        const before = await checksums(gateway);
        const preview = outcomeOf(await send(gateway, world, sent, '?validateOnly=true'));
        expect(await checksums(gateway)).toEqual(before);
        const real = outcomeOf(await send(gateway, world, sent));
        expect(preview.answer).toEqual(real.answer);
        expect(real.validateOnly).toBeUndefined();
        expect(preview.validateOnly).toBe(real.answer.state === 'SUCCESS' ? true : undefined);
        seen.add(`${each.method} ${real.answer.status}`);
      }
    },
  );
  await fc.assert(property, { numRuns: 80 });
  // The calls reached every kind of answer.
  expect([...seen].toSorted()).toEqual([
    'PATCH 200',
    'PATCH 400',
    'PATCH 404',
    'PATCH 422',
    'POST 200',
    'POST 201',
    'POST 400',
    'POST 422',
  ]);
}, 300_000);
