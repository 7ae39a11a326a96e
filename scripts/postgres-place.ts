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
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Postgres refuses to run as root. Under root (in most containers) it runs under another account, which must be able to
 * reach its programs and its data; a checkout below a private home folder such as /root is out of its reach.
 */
export type Account = { readonly uid: number; readonly gid: number };

/** Used only under root, and only for what lies where the account cannot reach. */
const SHARED_FOLDER = '/var/lib/vendor-gateway';

/** The account Postgres runs under; undefined: our own. `postgres` where it exists, else `nobody`: no account is made. */
export async function postgresAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" to run it under.',
  );
}

/** Whether the account can enter every folder on the way to `path`. */
async function isReachable(path: string, account: Account): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

async function makeSharedFolder(): Promise<string> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o711);
  return SHARED_FOLDER;
}

/** The folder of the Postgres programs, copied to a place the account can reach if need be (60 MB, once). */
export async function reachablePrograms(
  native: string,
  version: string,
  account: Account | undefined,
) {
  if (account === undefined || (await isReachable(join(native, 'bin'), account))) return native;
  const copy = join(await makeSharedFolder(), `postgres-${version}`);
  if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
  const draft = `${copy}.${process.pid}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  // Two starts at once: the second finds the folder of the first in its way, and uses it.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}

/**
 * A parent folder for the data that the account can reach: the folder itself (which is ours, so it may be opened for
 * passing through), else one beneath {@link SHARED_FOLDER}, with a link in the folder to show where it went.
 */
export async function reachableDataDir(
  dataDir: string,
  account: Account | undefined,
): Promise<string> {
  const home = dirname(dataDir);
  await mkdir(home, { recursive: true });
  if (account === undefined) return dataDir;
  await chmod(home, (await stat(home)).mode | 0o011);
  if (await isReachable(home, account)) return dataDir;

  const key = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const place = join(await makeSharedFolder(), key, basename(dataDir));
  await mkdir(dirname(place), { recursive: true, mode: 0o711 });
  await chown(dirname(place), account.uid, account.gid);
  const link = await lstat(dataDir).catch(() => undefined);
  if (link !== undefined && !link.isSymbolicLink()) {
    throw new Error(
      `Postgres cannot run as root, and its account cannot enter ${home}. Set GATEWAY_HOME to another folder.`,
    );
  }
  if (link === undefined || (await readlink(dataDir)) !== place) {
    // The link went with its folder: that was a wish to begin anew, and the data belongs to keys that are gone.
    await rm(place, { recursive: true, force: true });
    await rm(dataDir, { force: true });
    await symlink(place, dataDir);
  }
  return place;
}
