import * as fc from 'fast-check';
import { expect } from 'vitest';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { anyBulkCommand, expectLikeSingle, pushBulk } from './bulk-model.ts';

test('returns and stores for n items what n single pushes do', async ({ gateway }) => {
  const commands = fc.array(anyBulkCommand, { minLength: 1, maxLength: 5 });
  const seen = await expectLikeSingle(gateway, commands, 40, (world, command) =>
    pushBulk(gateway, world, command),
  );
  // The pushes reached every kind of response.
  expect(seen).toEqual(['NOT_FOUND_VENDOR_OFFER', 'SUCCESS', 'VALIDATION_ERRORS']);
}, 300_000);
