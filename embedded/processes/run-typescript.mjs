import { resolve } from 'node:path';
import { compileTypescript } from './compile-typescript.mjs';

/**
 * `node run-typescript.mjs FILE` runs a TypeScript file. The compiler is a child process, and
 * inherits no secret: until it has ended, the environment has only what it uses. `node --watch`
 * learns the source files, also when the program does not compile. On Linux it watches no
 * path twice, even if an editor has replaced the file, so each process names its own paths. A
 * process that is watched reports an error by which it ends, because its watcher only prints it.
 */
const ownRoot = process.platform === 'linux' ? `/proc/${process.pid}/root` : '';
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES !== undefined;
const onSource = isWatched
  ? (path) => process.send({ 'watch:require': [ownRoot + path] })
  : undefined;
if (isWatched) {
  process.once('exit', (code) => {
    if (code !== 0 && process.connected) process.send({ type: 'failed' });
  });
}
const ofCompiler = /^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_.*|ESBUILD_.*)$/i;
const hidden = Object.entries(process.env).filter(([name]) => !ofCompiler.test(name));
for (const [name] of hidden) delete process.env[name];

process.argv.splice(1, 1);
try {
  const program = await compileTypescript(resolve(process.argv[1] ?? ''), { onSource });
  Object.assign(process.env, Object.fromEntries(hidden));
  await import(program);
} catch (error) {
  if (!isWatched) throw error;
  console.error(error);
  process.send({ type: 'failed' });
  // Stays, because at Ctrl-C the watcher of a process that has ended waits until it is killed.
  process.once('disconnect', () => process.exit());
}
