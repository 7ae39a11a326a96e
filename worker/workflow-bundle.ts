import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['workflows', 'domain'];
/** Every bundle contains it, so that a run keeps its trace when tracing is switched on or off. */
const TRACE_HEADERS = join(ROOT, 'workflows', 'lib', 'trace-headers.ts');
const KEPT_MS = 7 * 24 * 3_600_000;
const DEFAULT_CACHE = join(ROOT, 'node_modules', '.cache', 'vendor-gateway');

/** A value for the Temporal worker's `workflowBundle`. */
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

/** What builds a bundle, as the SDK finds it. The image of production lacks optional packages. */
const BUILDERS = ['webpack', 'swc-loader', '@swc/core'];

/**
 * Hashes the SDK too, because a bundle contains the SDK's workflow code, which must fit the
 * worker's, what builds it, and this file, which has the options of the build.
 */
async function cacheKey(interceptorModules: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/worker/package.json');
  const own = fileURLToPath(import.meta.url);
  const ofSdk = createRequire(sdk);
  const builders = BUILDERS.flatMap((name) => {
    try {
      return [ofSdk.resolve(`${name}/package.json`)];
    } catch {
      return [];
    }
  });
  for (const file of [sdk, ...builders, own, ...interceptorModules, ...(await sourceFiles())]) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(
  interceptorModules: readonly string[],
  webpackCache: string | null,
): Promise<string> {
  // Imported lazily: a cached bundle needs neither webpack nor the native module.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.ts'),
    workflowInterceptorModules: [TRACE_HEADERS, ...interceptorModules],
    logger: new DefaultLogger('WARN'),
    // Each thread has the bundle in memory. Of the sources, only positions are read from it.
    webpackConfigHook: (config) => ({
      ...config,
      devtool: 'inline-nosources-source-map',
      ...(webpackCache && { cache: { type: 'filesystem', cacheDirectory: webpackCache } }),
    }),
  });
  return escaped(code);
}

/** V8 stores a script with one character beyond Latin-1 in two bytes for each character. */
const escaped = (code: string): string =>
  code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The beginning of a cached bundle, so that a file that was cut is built again. It adds no line,
 * and the SDK reads the source map from the end.
 */
const beginningOf = (code: string): string =>
  `/* sha256 ${createHash('sha256').update(code).digest('hex')} */ `;
const beginningLength = beginningOf('').length;

async function isWhole(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.startsWith(beginningOf(text.slice(beginningLength)));
}

/**
 * Writes a file to the disk before it has its name, so that a loss of power leaves no part of it.
 */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { flush: true });
  await rename(draft, file);
}

/** Deletes bundles older than a week, since every change of a workflow makes a new one. */
async function prune(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const file = join(cacheDir, name);
    if (name.startsWith('workflows-') && Date.now() - (await stat(file)).mtimeMs > KEPT_MS) {
      await rm(file, { force: true });
    }
  }
}

/** `node --watch` restarts the worker when one of them changes, as in run-typescript.mjs. */
async function watchedFiles(): Promise<readonly string[]> {
  const ownRoot = process.platform === 'linux' ? `/proc/${process.pid}/root` : '';
  return (await sourceFiles()).map((file) => ownRoot + file);
}

/**
 * Loads the workflow code as one script: `path` if given, else a cached build of the current
 * sources, else a new build, which it caches. An unwritable cache (a read-only image) costs only
 * the build.
 */
export async function loadWorkflowBundle({
  path,
  cacheDir = DEFAULT_CACHE,
  interceptorModules = [],
}: {
  readonly path?: string | undefined;
  /** Files with workflow interceptors, for a bundle that is not the worker's. */
  readonly interceptorModules?: readonly string[];
  readonly cacheDir?: string | undefined;
} = {}): Promise<WorkflowBundle> {
  if (path !== undefined) return { codePath: path };
  const isWatched = process.execArgv.includes('--watch-preserve-output');
  if (isWatched) process.send?.({ 'watch:require': await watchedFiles() });
  const codePath = join(cacheDir, `workflows-${await cacheKey(interceptorModules)}.js`);
  if (await isWhole(codePath)) return { codePath };
  // Halves the build after a change.
  const code = await build(interceptorModules, isWatched ? join(cacheDir, 'webpack') : null);
  try {
    await mkdir(dirname(codePath), { recursive: true });
    await writeWhole(codePath, beginningOf(code) + code);
    await prune(cacheDir);
    return { codePath };
  } catch {
    return { code };
  }
}
