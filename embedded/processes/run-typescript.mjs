import { resolve } from 'node:path';
import { compileTypescript } from './compile-typescript.mjs';

/**
 * `node run-typescript.mjs FILE` runs a TypeScript file. The compiler is a child process, and
 * inherits no secret: until it has ended, the environment has only what it uses. `node --watch`
 * learns the source files, also when the program does not compile. On Linux it watches no
 * path twice, even if an editor has replaced the file, so each process names its own paths.
 */
const ownRoot = process.platform === 'linux' ? `/proc/${process.pid}/root` : '';
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined;
const onSource = isWatched
  ? (path) => process.send({ 'watch:require': [ownRoot + path] })
  : undefined;
const ofCompiler = /^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_.*|ESBUILD_.*)$/i;
const hidden = Object.entries(process.env).filter(([name]) => !ofCompiler.test(name));
for (const [name] of hidden) delete process.env[name];

process.argv.splice(1, 1);
const program = await compileTypescript(resolve(process.argv[1] ?? ''), { onSource });
Object.assign(process.env, Object.fromEntries(hidden));
await import(program);
