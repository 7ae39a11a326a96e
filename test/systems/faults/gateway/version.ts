import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrate } from '../../../../db/core/migrate.ts';
import { startGatewayProcess } from '../../../../embedded/processes/gateway-process.ts';
import { loadWorkflowBundle } from '../../../../worker/workflow-bundle.ts';

/** What a gateway runs of one version of the code. */
export const presentVersion = { migrate, startGatewayProcess, loadWorkflowBundle };

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const git = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)('git', [...args], { cwd: root });
  return stdout.trim();
};

/**
 * OLDER_COMMIT, else the newest commit without the newest migration. If that migration came with a
 * rewrite of the others, the commit of the rewrite: no earlier version works on its schema.
 */
async function olderCommit(): Promise<string> {
  const given = process.env['OLDER_COMMIT'];
  if (given !== undefined && given !== '') return git('rev-parse', given);
  const newest = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'db/migrations');
  const range = [`${newest}^`, newest];
  const changed = await git('diff', '--name-only', '--diff-filter=MD', ...range, 'db/migrations');
  return git('rev-parse', changed === '' ? `${newest}^` : newest);
}

/** The packages of an older version: the packages of this one, unless it needs others. */
async function addPackages(folder: string): Promise<void> {
  const lock = 'package-lock.json';
  const [own, older] = await Promise.all(
    [root, folder].map((each) => readFile(join(each, lock), 'utf8')),
  );
  if (own === older) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}

/**
 * Checks out an older version into a work tree, which `remove` removes. Needs the history of git,
 * and the network for other packages.
 */
export async function checkOutOlder() {
  const commit = await olderCommit();
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-older-'));
  const remove = async (): Promise<void> => {
    await git('worktree', 'remove', '--force', folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await git('worktree', 'add', '--detach', '--force', folder, commit);
    await addPackages(folder);
    const load = (file: string) => import(join(folder, file)) as Promise<typeof presentVersion>;
    const { migrate } = await load('db/core/migrate.ts');
    const { startGatewayProcess } = await load('embedded/processes/gateway-process.ts');
    const { loadWorkflowBundle } = await load('worker/workflow-bundle.ts');
    return { migrate, startGatewayProcess, loadWorkflowBundle, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
