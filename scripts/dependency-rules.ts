import * as v from 'valibot';

/** The rules of `npm run audit:offline`: what the lock file may contain. */

const entrySchema = v.looseObject({
  version: v.optional(v.string(), ''),
  license: v.optional(v.string()),
  integrity: v.optional(v.string()),
  resolved: v.optional(v.string()),
  link: v.optional(v.boolean(), false),
  hasInstallScript: v.optional(v.boolean(), false),
  optional: v.optional(v.boolean(), false),
  os: v.optional(v.array(v.string()), []),
  cpu: v.optional(v.array(v.string()), []),
  libc: v.optional(v.array(v.string()), []),
});
const reasonSchema = v.record(v.string(), v.string());

/** `package-lock.json`, its version 3. */
export const lockSchema = v.object({ packages: v.record(v.string(), entrySchema) });
/** What the rules read of the `package.json` of the root and of a workspace. */
export const manifestSchema = v.object({
  workspaces: v.optional(v.array(v.string()), []),
  dependencies: reasonSchema,
  devDependencies: reasonSchema,
});
/** `scripts/dependency-policy.json`. A name may end in `*`. */
export const policySchema = v.object({
  /** Accepted licences, as SPDX expressions. */
  licences: v.array(v.string()),
  /** Exceptions for a package: its licence and the reason. */
  licencesOf: v.record(v.string(), v.tuple([v.string(), v.string()])),
  /** Packages that may have an install script. `allowScripts` of package.json lets some run. */
  installScripts: v.array(v.string()),
  /** Direct dependencies of which the lock may have several versions, with the reason. */
  severalVersions: reasonSchema,
  /** Versions known to be malicious; `*` stands for all. */
  refused: v.record(v.string(), v.array(v.string())),
});

/**
 * What the audit compares. `manifest` has the direct dependencies of the root and its workspaces,
 * `patches` the names of the files in `patches/`.
 */
export type Audited = {
  readonly lock: v.InferOutput<typeof lockSchema>;
  readonly manifest: Pick<v.InferOutput<typeof manifestSchema>, 'dependencies' | 'devDependencies'>;
  readonly policy: v.InferOutput<typeof policySchema>;
  readonly patches: readonly string[];
};
type Entry = v.InferOutput<typeof entrySchema>;
type Package = Entry & { readonly name: string };

/** The packages of others: the root and the workspaces, with their links, are the project's own. */
const packagesOf = ({ lock }: Audited): readonly Package[] =>
  Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, entry]) => ({ ...entry, name: path.replace(/^.*node_modules\//, '') }));

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;

function licenceProblems({ policy }: Audited, { name, license }: Package): readonly string[] {
  const stated = license ?? 'none named';
  const [, exception] =
    Object.entries(policy.licencesOf).find(([pattern]) => matches(pattern, name)) ?? [];
  return policy.licences.includes(stated) || exception?.[0] === stated
    ? []
    : [`${name}: the licence ${stated} is not accepted`];
}

/** Whether the package is for the platform of the image and of the tests: Linux, x64, glibc. */
const isForImage = ({ os, cpu, libc }: Package): boolean =>
  (os.length === 0 || os.includes('linux')) &&
  (cpu.length === 0 || cpu.includes('x64')) &&
  (libc.length === 0 || libc.includes('glibc'));

/** `npm run lock:complete` cannot know the integrity of builds that the registry does not have. */
const integrityProblems = (entry: Package): readonly string[] =>
  entry.integrity === undefined && (!entry.optional || isForImage(entry))
    ? [`${entry.name}: the lock has no integrity for ${entry.version}`]
    : [];

function problemsOf(audited: Audited, entry: Package): readonly string[] {
  const { name, version, resolved, hasInstallScript } = entry;
  const { installScripts, refused } = audited.policy;
  const versions = refused[name] ?? [];
  return [
    ...licenceProblems(audited, entry),
    ...integrityProblems(entry),
    ...(hasInstallScript && !installScripts.some((pattern) => matches(pattern, name))
      ? [`${name}: has an install script that the policy does not accept`]
      : []),
    ...(versions.includes(version) || versions.includes('*')
      ? [`${name}: ${version} is known to be malicious`]
      : []),
    ...(resolved === undefined ? [] : [`${name}: the lock names the address ${resolved}`]),
  ];
}

/** A patch fits one version only. */
function patchProblems({ lock, manifest, patches }: Audited): readonly string[] {
  return patches.flatMap((file) => {
    const [, name = '', version = ''] = /^(.+?)\+([^+]+)(?:\+\d+\+[^+]+)?\.patch$/.exec(file) ?? [];
    const path = name.replaceAll('+', '/');
    const pinned = manifest.dependencies[path] ?? manifest.devDependencies[path];
    const locked = lock.packages[`node_modules/${path}`]?.version;
    return pinned === version && locked === version
      ? []
      : [`${file}: pin ${path} to exactly ${version} (package.json: ${pinned}, lock: ${locked})`];
  });
}

function duplicateProblems(audited: Audited): readonly string[] {
  const { manifest, policy } = audited;
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).flatMap((name) => {
    const found = packagesOf(audited).filter((entry) => entry.name === name);
    const versions = new Set(found.map(({ version }) => version));
    return versions.size > 1 && policy.severalVersions[name] === undefined
      ? [`${name}: the lock has several versions: ${[...versions].join(', ')}`]
      : [];
  });
}

/** The breaches of the rules, a line for each; none when the dependencies may be used. */
export const auditProblems = (audited: Audited): readonly string[] => [
  ...packagesOf(audited).flatMap((entry) => problemsOf(audited, entry)),
  ...patchProblems(audited),
  ...duplicateProblems(audited),
];
