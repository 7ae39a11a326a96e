import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';

/**
 * `node run-typescript.mjs FILE` runs a TypeScript file as `node --import tsx FILE` does. But the
 * esbuild that tsx starts as a child process inherits no secret: until all modules of the file are
 * compiled, the environment has only what the compiler uses.
 */
const ofCompiler =
  /^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_.*|TSX_.*|ESBUILD_.*)$/i;
const hidden = Object.entries(process.env).filter(([name]) => !ofCompiler.test(name));
for (const [name] of hidden) delete process.env[name];

process.argv.splice(1, 1);
register();
// Node compiles all modules that a module imports before it evaluates the first of them.
const restore = Symbol.for('vendor-gateway.restoreEnvironment');
globalThis[restore] = () => Object.assign(process.env, Object.fromEntries(hidden));
const source = `
  import "data:text/javascript,globalThis[Symbol.for('${restore.description}')]()";
  import ${JSON.stringify(pathToFileURL(process.argv[1] ?? '').href)};`;
await import(`data:text/javascript,${encodeURIComponent(source)}`);
