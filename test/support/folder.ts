import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes an empty folder, which is deleted when its test or fixture has ended. */
export async function newFolder(onEnd: (clean: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-test-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
