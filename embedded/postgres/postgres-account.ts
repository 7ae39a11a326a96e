import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Postgres refuses to run as root. Under root (in most containers) it runs under another account,
 * which must reach its programs and its data; it cannot enter a folder such as /root.
 */
export type Account = { readonly uid: number; readonly gid: number };

/** Used only under root, for what the account cannot reach elsewhere. */
const SHARED_FOLDER = '/var/lib/vendor-gateway';

/** The account for Postgres: the owner of its data, `postgres` or `nobody`; undefined: our own. */
export async function findAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] =
    /^postgres:.*?:(\d+):(\d+):/m.exec(accounts) ??
    /^nobody:.*?:(\d+):(\d+):/m.exec(accounts) ??
    [];
  if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  throw new Error(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" to run it ' +
      'under.',
  );
}

/** Whether the account may enter a folder and every folder above it. */
const canEnter = (folder: string, { uid, gid }: Account): Promise<boolean> =>
  promisify(execFile)('test', ['-x', folder], { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  );

async function createSharedFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o711);
  return SHARED_FOLDER;
}

/**
 * The folder of the Postgres programs, or a copy (60 MB, made once) if the account cannot enter it.
 */
export async function reachablePrograms(
  native: string,
  version: string,
  account: Account | undefined,
) {
  if (account === undefined || (await canEnter(join(native, 'bin'), account))) return native;
  const copy = join(await createSharedFolder(), `postgres-${version}`);
  if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
  const draft = `${copy}.${process.pid}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  // The rename fails when a concurrent start has made the copy.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}

/**
 * The data folder, or one below {@link SHARED_FOLDER} with a link to it, if the account cannot
 * enter it.
 */
export async function reachableDataDir(
  dataDir: string,
  account: Account | undefined,
): Promise<string> {
  const parent = dirname(dataDir);
  await mkdir(parent, { recursive: true });
  if (account === undefined) return dataDir;
  await chmod(parent, (await stat(parent)).mode | 0o011);
  if (await canEnter(parent, account)) return dataDir;

  const key = createHash('sha256').update(parent).digest('hex').slice(0, 12);
  const target = join(await createSharedFolder(), key, basename(dataDir));
  await mkdir(dirname(target), { recursive: true, mode: 0o711 });
  await chown(dirname(target), account.uid, account.gid);
  const link = await lstat(dataDir).catch(() => undefined);
  if (link !== undefined && !link.isSymbolicLink()) {
    throw new Error(
      `Postgres cannot run as root, and its account cannot enter ${parent}. Set GATEWAY_HOME to ` +
        `another folder.`,
    );
  }
  if (link === undefined || (await readlink(dataDir)) !== target) {
    // The link was removed with its folder and the keys in it: the old data is of no use without
    // them.
    await rm(target, { recursive: true, force: true });
    await rm(dataDir, { force: true });
    await symlink(target, dataDir);
  }
  return target;
}
