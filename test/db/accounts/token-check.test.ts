import { expect } from 'vitest';
import { createTokenCheck } from '../../../db/accounts/operators.ts';
import { seedOperator } from '../../support/seeds/seed.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

test('returns the right verdict for each of many tokens at once', async ({ sql }) => {
  const [active, inactive] = [await seedOperator(sql), await seedOperator(sql)];
  await sql`update operators set is_active = false where id = ${inactive.id}`;
  const acceptsToken = createTokenCheck(sql);
  const owners = Array.from({ length: 60 }, (_, index) => [
    { id: active.id, tokenGeneration: 1 },
    { id: active.id, tokenGeneration: 2 + index },
    { id: inactive.id, tokenGeneration: 1 },
  ]).flat();
  const verdicts = await Promise.all(owners.map(acceptsToken));
  expect(verdicts).toEqual(owners.map((_, index) => index % 3 === 0));
});

test('refuses a token after its revocation, also beside an earlier check', async ({ sql }) => {
  const { id } = await seedOperator(sql);
  const acceptsToken = createTokenCheck(sql);
  const owner = { id, tokenGeneration: 1 };
  await expect(acceptsToken(owner)).resolves.toBe(true);
  const locker = await sql.reserve();
  try {
    await locker`begin`;
    await locker`lock table operators in access exclusive mode`;
    const before = acceptsToken(owner);
    await locker`update operators set token_generation = 2 where id = ${id}`;
    const during = acceptsToken(owner);
    await locker`commit`;
    const after = acceptsToken(owner);
    await before;
    await expect(Promise.all([during, after])).resolves.toEqual([false, false]);
  } finally {
    locker.release();
  }
});
