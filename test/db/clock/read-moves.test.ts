import { expect } from 'vitest';
import { readVendorClock } from '../../../api/sandbox/vendor-clock.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedVendor } from '../../support/seeds/seed.ts';

const dayMs = 24 * 3_600_000;

test('reads each move of a clock once in a process (D173)', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const move = () => sql`
    update vendors set clock_offset = clock_offset + interval '1 day' where id = ${vendorId}`;
  const read = () => readVendorClock({ environment: 'Sandbox', sql }, vendorId);
  for (let moves = 1; moves <= 3; moves += 1) {
    await move();
    // Two within a millisecond would be one.
    await sql`
      update clock_moves set moved_at = moved_at - interval '1 hour'
      where vendor_id = ${vendorId}`;
  }
  const moved = await sql<{ movedAt: Date }[]>`
    select moved_at from clock_moves where vendor_id = ${vendorId} order by moved_at`;
  const reals = [new Date(0), ...moved.map(({ movedAt }) => movedAt)];
  const aheadOf = async () => {
    const { shown } = await read();
    return reals.map((real) => (shown(real).getTime() - real.getTime()) / dayMs);
  };
  expect(await aheadOf()).toEqual([0, 1, 2, 3]);
  // Those that are read once are not read again.
  await sql`
    delete from clock_moves where vendor_id = ${vendorId} and moved_at < ${reals[3] ?? null}`;
  await move();
  expect(await aheadOf()).toEqual([0, 1, 2, 3]);
  const { now } = await read();
  expect((now?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3.9 * dayMs);
});
