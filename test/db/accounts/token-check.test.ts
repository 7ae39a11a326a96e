import { expect } from 'vitest';
import { acceptsToken } from '../../../db/accounts/operators.ts';
import { seedOperator } from '../../support/seeds/seed.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

test('accepts only a token of the present generation of an active operator', async ({ sql }) => {
  const [active, inactive] = [await seedOperator(sql), await seedOperator(sql)];
  await sql`update operators set is_active = false where id = ${inactive.id}`;
  expect(await acceptsToken(sql, { id: active.id, tokenGeneration: 1 })).toBe(true);
  expect(await acceptsToken(sql, { id: active.id, tokenGeneration: 2 })).toBe(false);
  expect(await acceptsToken(sql, { id: inactive.id, tokenGeneration: 1 })).toBe(false);
  await sql`update operators set token_generation = 2 where id = ${active.id}`;
  expect(await acceptsToken(sql, { id: active.id, tokenGeneration: 1 })).toBe(false);
});
