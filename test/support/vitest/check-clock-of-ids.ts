import { afterAll } from 'vitest';
import { v7 as uuidv7 } from 'uuid';

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

// `uuid` never goes back in time. After an id under a fake clock of the future, all ids of this
// process, and so of later files, sort behind the ids of Postgres.
afterAll(() => {
  const aheadMs = timeOf(uuidv7()) - Date.now();
  // The clock of a machine may be set back by a little.
  if (aheadMs > 5000)
    throw new Error(`This file made a UUIDv7 under a clock that was ${aheadMs} ms ahead.`);
});
