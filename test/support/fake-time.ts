import { existsSync } from 'node:fs';

/** Of the Debian package libfaketime. */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
export const hasFakeTime = existsSync(library);

/** The variables of a process whose clock is off, such as `-1h`. */
export const withClock = (offset: string) => ({
  LD_PRELOAD: library,
  FAKETIME: offset,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});
