import { expect, test } from 'vitest';
import { createMutex } from '../../../workflows/lib/mutex.ts';

test('begins a step only after the one before has ended, also when that one failed', async () => {
  const runExclusive = createMutex();
  const events: string[] = [];
  const run = (name: string, end: () => Promise<unknown>) =>
    runExclusive(async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      await end().finally(() => events.push(`${name} ends`));
    });

  const first = run('first', () => Promise.reject(new Error('refused')));
  const others = ['second', 'third'].map((name) => run(name, () => Promise.resolve()));
  await expect(first).rejects.toThrow('refused');
  await Promise.all(others);
  const steps = ['first', 'second', 'third'];
  expect(events).toEqual(steps.flatMap((name) => [`${name} begins`, `${name} ends`]));
});
