import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Sql } from '../../db/core/client.ts';
import { createFakePipeline } from '../support/webhooks/test-lane.ts';
import { put, relayTest as test, untilEmpty } from './relay-fixture.ts';

/** How fast the relay hands over low-priority messages. */

async function putInNoHurry(sql: Sql, count: number): Promise<readonly string[]> {
  const subjects = await put(sql, count);
  await sql`update outbox set is_low_priority = true where subject_id = any(${[...subjects]})`;
  return subjects;
}

test('hands over a few at a time', async ({ sql, relay }) => {
  const unhurried = new Set(await putInNoHurry(sql, 60));
  const hurried = new Set(await put(sql, 150));
  const sent: string[] = [];
  const startedAt = performance.now();
  relay(async ({ subjectId }) => {
    sent.push(subjectId);
  });
  await untilEmpty(sql);
  // Three helpings of at most twenty, a second apart: with a slow machine more apart, never closer.
  expect(performance.now() - startedAt).toBeGreaterThan(1900);
  expect(sent).toHaveLength(210);
  const lastHurried = sent.findLastIndex((id) => hurried.has(id));
  expect(sent.slice(0, lastHurried).filter((id) => unhurried.has(id)).length).toBeLessThanOrEqual(
    20,
  );
});

test('hands over one after another', async ({ sql, relay }) => {
  await putInNoHurry(sql, 10);
  let inProgress = 0;
  let most = 0;
  relay(async () => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    await nextTurn();
    inProgress -= 1;
  });
  await untilEmpty(sql);

  expect(most).toBe(1);
});

test('slows down beside a bulk job', async ({ sql, relay }) => {
  await putInNoHurry(sql, 10);
  const startedAt = performance.now();
  relay(
    () => Promise.resolve(),
    createFakePipeline(sql),
    () => true,
  );
  await untilEmpty(sql);

  // Nine waits of 200 ms: with a slow machine more, never less.
  expect(performance.now() - startedAt).toBeGreaterThan(1750);
});
