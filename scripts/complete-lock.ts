import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/**
 * `npm run lock:complete`: a registry that does not carry the packages of every platform makes npm
 * leave them out of the lock file, which `npm ci` then refuses. This adds what the optional
 * dependencies name and the lock lacks; npm takes each added entry only on its own platform. A
 * complete lock file stays as it is.
 */

const entry = v.looseObject({
  optionalDependencies: v.optional(v.record(v.string(), v.string())),
  dev: v.optional(v.boolean()),
  license: v.optional(v.string()),
  engines: v.optional(v.record(v.string(), v.string())),
});
const lockForm = v.looseObject({ packages: v.record(v.string(), entry) });
type Entry = v.InferOutput<typeof entry>;

/** `@swc/core-linux-arm64-musl` is for linux, arm64 and musl. */
function platformOf(name: string): Record<string, readonly string[]> {
  const [, os = '', cpu = '', libc] =
    /(darwin|linux|win32|freebsd|openharmony|android)-([a-z0-9]+)(?:-(musl|gnu)\w*)?/.exec(name) ??
    [];
  const libcs = { musl: ['musl'], gnu: ['glibc'] };
  return {
    cpu: [cpu],
    os: [os],
    ...(libc === 'musl' || libc === 'gnu' ? { libc: libcs[libc] } : {}),
  };
}

const file = new URL('../package-lock.json', import.meta.url);
// Checked, not parsed: a parsed copy would have its keys in another order.
const lock: unknown = JSON.parse(readFileSync(file, 'utf8'));
if (!v.is(lockForm, lock)) throw new Error('package-lock.json has an unknown form');
const missing = Object.entries(lock.packages).flatMap(([path, owner]): [string, Entry][] =>
  Object.entries(owner.optionalDependencies ?? {})
    .filter(([name]) => {
      const nested = `${path}/node_modules/${name}`;
      return (
        !Object.hasOwn(lock.packages, `node_modules/${name}`) &&
        !Object.hasOwn(lock.packages, nested)
      );
    })
    .map(([name, version]) => [
      `node_modules/${name}`,
      {
        version,
        ...platformOf(name),
        ...(owner.dev === true ? { dev: true } : {}),
        ...(owner.license === undefined ? {} : { license: owner.license }),
        ...(owner.engines === undefined ? {} : { engines: owner.engines }),
        optional: true,
      },
    ]),
);
const packages = { ...lock.packages, ...Object.fromEntries(missing) };
const sorted = Object.fromEntries(
  Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
if (missing.length > 0)
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`${missing.length} packages of other platforms added to package-lock.json.`);
