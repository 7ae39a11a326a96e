import { expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createMessageHandler } from '../../temporal/message-handler.ts';
import { isTemporalOutage } from '../../temporal/temporal-failures.ts';
import { clientAt, temporalThatAnswers } from '../api/error-codes/dependencies.ts';
import { freePort } from '../support/free-port.ts';

// The API claims a message while it calls Temporal: a worker that reaches Temporal waits as long.
test.for([
  ['is not there', freePort],
  ['does not answer', () => temporalThatAnswers('nothing')],
] as const)('releases a message within its time if Temporal %s', async ([, start]) => {
  const settings = { taskQueue: 'test', retryDelaysMs: [], timeoutMs: 1000 };
  const handleMessage = createMessageHandler(clientAt(await start()), settings, 500);
  const begunAt = performance.now();

  const failure = await handleMessage({
    kind: 'offerReview',
    subjectId: uuidv7(),
    payload: { vendorId: uuidv7() },
  }).catch((error: unknown) => error);

  expect(isTemporalOutage(failure)).toBe(true);
  // By default, a call has ten seconds.
  expect(performance.now() - begunAt).toBeLessThan(8000);
});
