import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['workflows', 'domain'];
const KEPT_MS = 7 * 24 * 3_600_000;
const DEFAULT_CACHE = join(ROOT, 'node_modules', '.cache', 'vendor-gateway');

/** What the Temporal worker takes as `workflowBundle`. */
export type WorkflowBundle = { readonly codePath: string } | { readonly code: string };

async function sourceFiles(): Promise<string[]> {
  const found = await Promise.all(
    SOURCES.map(async (folder) => {
      const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return found.flat().sort();
}

/** The SDK is in the key too: a bundle carries the SDK's own workflow code, which must fit the worker's. */
async function cacheKey(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/worker/package.json');
  for (const file of [sdk, ...(await sourceFiles())]) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(): Promise<string> {
  // Loaded here only: whoever finds the bundle in the cache is spared webpack and the native module.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.ts'),
    logger: new DefaultLogger('WARN'),
  });
  return code;
}

/** Every change of a workflow makes a new bundle: those of last week go. */
async function prune(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const file = join(cacheDir, name);
    if (name.startsWith('workflows-') && Date.now() - (await stat(file)).mtimeMs > KEPT_MS) {
      await rm(file, { force: true });
    }
  }
}

/**
 * The workflow code as one script: `path` if it is given, else a cached build of the present sources, else a new build,
 * which is then cached. A cache that cannot be written (a read-only image) costs the build and nothing else.
 */
export async function loadWorkflowBundle({
  path,
  cacheDir = DEFAULT_CACHE,
}: {
  readonly path?: string | undefined;
  readonly cacheDir?: string | undefined;
} = {}): Promise<WorkflowBundle> {
  if (path !== undefined) return { codePath: path };
  const codePath = join(cacheDir, `workflows-${await cacheKey()}.js`);
  if ((await stat(codePath).catch(() => undefined)) !== undefined) return { codePath };
  const code = await build();
  try {
    await mkdir(dirname(codePath), { recursive: true });
    const draft = `${codePath}.${process.pid}`;
    await writeFile(draft, code);
    await rename(draft, codePath);
    await prune(cacheDir);
    return { codePath };
  } catch {
    return { code };
  }
}
