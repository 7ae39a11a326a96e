import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Debian's `rabbitmq-server` on the PATH changes to its own user and folders; this one does not.
 */
const besidePath = ['/usr/lib/rabbitmq/bin'];

/** Returns the path of a program, or null where it is not installed. */
function findProgram(name: string): string | null {
  const folders = [...besidePath, ...(process.env['PATH'] ?? '').split(delimiter)];
  const folder = folders.find((path) => existsSync(join(path, name)));
  return folder === undefined ? null : join(folder, name);
}

/** What Outpost runs on, and what builds it. */
const needed = {
  go: 'go',
  redis: 'redis-server',
  rabbitmq: 'rabbitmq-server',
  epmd: 'epmd',
} as const;
export type PeerPrograms = Readonly<Record<keyof typeof needed, string>>;

/** Returns the paths of all programs, or the names of those that are missing. */
export function findPeerPrograms():
  { readonly programs: PeerPrograms } | { readonly missing: readonly string[] } {
  const found = Object.entries(needed).map(
    ([key, name]) => [key, name, findProgram(name)] as const,
  );
  const missing = found.filter(([, , path]) => path === null).map(([, name]) => name);
  if (missing.length > 0) return { missing };
  const programs = Object.fromEntries(found.map(([key, , path]) => [key, path]));
  return { programs: programs as PeerPrograms };
}
