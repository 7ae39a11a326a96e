import { randomUUID } from 'node:crypto';
import { rmSync, statSync, utimesSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rootPackages = join(root, 'node_modules');
const dayMs = 24 * 3_600_000;
const keptMs = 7 * dayMs;

/** How a module names the program of a thread that it starts. */
const threadFile = /new URL\('([\w-]+-thread\.ts)', import\.meta\.url\)/g;

/**
 * Compiles a TypeScript program, and the programs of its threads, to JavaScript, and returns the
 * URL of its file. Once it runs, neither a compiler nor a loader of modules is in memory: with tsx,
 * they and the source maps of all modules were a third of the API's memory. `packages` is the
 * folder from which the program imports packages; `alias` names modules that are compiled into it;
 * `onSource` gets the path of each TypeScript file.
 */
export async function compileTypescript(
  file,
  { packages = rootPackages, alias = {}, onSource = () => {} } = {},
) {
  const target = { folder: await outputFolder(packages), stored: new Set(), alias, onSource };
  try {
    return await compileInto(target, await fs.realpath(file));
  } finally {
    // Ends the compiler's process.
    await stop();
    keepStored(target);
  }
}

async function compileInto(target, file) {
  const { folder, stored, alias } = target;
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What a module imports later is a file of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    packages: 'external',
    alias,
    sourcemap: 'linked',
    sourcesContent: false,
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [ownUrls(target)],
  });
  for (const { path, contents } of outputFiles) {
    await store(path, contents);
    stored.add(path);
  }
  const source = relative(root, file);
  const [path] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === source,
  );
  return pathToFileURL(join(root, path)).href;
}

/** Modules keep the URLs of their sources, because they read files beside these. */
const ownUrls = (target) => ({
  name: 'own-urls',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      target.onSource(path);
      let contents = await fs.readFile(path, 'utf8');
      for (const [text, thread] of contents.matchAll(threadFile)) {
        const compiled = await compileInto(target, join(dirname(path), thread));
        contents = contents.replace(text, `new URL(${JSON.stringify(compiled)})`);
      }
      const own = JSON.stringify(pathToFileURL(path).href);
      return { loader: 'ts', contents: contents.replaceAll('import.meta.url', own) };
    });
  },
});

/** A cache below the packages, where Node finds them; if it is read-only, a temporary folder. */
async function outputFolder(packages) {
  const cache = join(packages, '.cache', 'vendor-gateway', 'programs');
  try {
    await fs.mkdir(cache, { recursive: true });
    await fs.access(cache, fs.constants.W_OK);
    await prune(cache);
    return cache;
  } catch {
    const folder = await fs.mkdtemp(join(tmpdir(), 'vendor-gateway-program-'));
    await fs.symlink(packages, join(folder, 'node_modules'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
}

/**
 * The name of a file has the hash of its contents. Another process may store or read it too, and
 * may have the same id in another container. A crash of the machine may have left an empty file.
 */
async function store(path, contents) {
  const found = await fs.readFile(path).catch(() => null);
  if (found?.equals(contents) === true && (isFresh(path) || markUsed(path))) return;
  const draft = `${path}.${randomUUID()}`;
  await fs.writeFile(draft, contents);
  await fs.rename(draft, path);
}

/** Whether the file was marked today. To mark it again would restart a program that is watched. */
const isFresh = (path) => Date.now() - statSync(path).mtimeMs < dayMs;

/** False for a missing file and for one of another user. */
function markUsed(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

/** A process that runs may start a thread at any time, so its files must stay. */
function keepStored({ stored }) {
  setInterval(() => {
    for (const path of stored) markUsed(path);
  }, dayMs).unref();
}

/** Deletes files that no process has used for a week. */
async function prune(cache) {
  for (const name of await fs.readdir(cache)) {
    const file = join(cache, name);
    const { mtimeMs = Date.now() } = await fs.stat(file).catch(() => ({}));
    if (Date.now() - mtimeMs > keptMs) await fs.rm(file, { force: true });
  }
}
