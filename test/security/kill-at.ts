import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * `kill-at.ts create|update FILE N`: changes a key ring, and kills the process with SIGKILL at the
 * Nth call that changes the file system. A write is killed after half of its text.
 */

const [action = '', file = '', killAt = ''] = process.argv.slice(2);
let calls = 0;

const countCall = (writeHalf = () => undefined as void): void => {
  calls += 1;
  if (calls !== Number(killAt)) return;
  writeHalf();
  process.kill(process.pid, 'SIGKILL');
};
for (const name of [
  'chmodSync',
  'chownSync',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'rmSync',
] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      countCall();
      return original(...args);
    },
  });
}
const { writeFileSync } = fs;
fs.writeFileSync = (path, data, options) => {
  const text = data as string;
  countCall(() => writeFileSync(path, text.slice(0, text.length / 2), options));
  writeFileSync(path, data, options);
};
syncBuiltinESMExports();

const { createRingFile, updateRingFile } = await import('../../security/key-ring-file.ts');
const { createRing, generatePrivateKey } = await import('../../security/key-ring.ts');
const ring = createRing(generatePrivateKey(), new Date());
if (action === 'create') createRingFile(file, ring);
else updateRingFile(file, () => ring);
