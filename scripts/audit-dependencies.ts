import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import {
  auditProblems,
  lockSchema,
  manifestSchema,
  policySchema,
  type Audited,
} from './dependency-rules.ts';

/**
 * `npm run audit:offline`: checks the lock file against `dependency-policy.json`, without a
 * network. `npm run audit:advisories` asks the registry for known vulnerabilities instead. Both
 * exit 1 on a finding; the second exits 0 where no registry answers.
 */

const root = new URL('../', import.meta.url);
const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, root), 'utf8'));

const advisorySchema = v.object({
  metadata: v.object({ vulnerabilities: v.record(v.string(), v.number()) }),
});

/** The problems that the registry knows; null where it does not answer. */
function advisories(): readonly string[] | null {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), advisorySchema), stdout);
  if (!parsed.success) return null;
  const { high = 0, critical = 0 } = parsed.output.metadata.vulnerabilities;
  return high + critical === 0
    ? []
    : [`${high} high and ${critical} critical vulnerabilities; see npm audit --omit=dev`];
}

/** The direct dependencies of the root and of its workspaces. */
function readManifest(): Audited['manifest'] {
  const root = v.parse(manifestSchema, readJson('package.json'));
  const manifests = [
    ...root.workspaces.map((folder) => v.parse(manifestSchema, readJson(`${folder}/package.json`))),
    root,
  ];
  return {
    dependencies: Object.assign({}, ...manifests.map(({ dependencies }) => dependencies)),
    devDependencies: Object.assign({}, ...manifests.map(({ devDependencies }) => devDependencies)),
  };
}

const offline = (): readonly string[] =>
  auditProblems({
    lock: v.parse(lockSchema, readJson('package-lock.json')),
    manifest: readManifest(),
    policy: v.parse(policySchema, readJson('scripts/dependency-policy.json')),
    patches: readdirSync(new URL('patches/', root)),
  });

const problems = process.argv.includes('--advisories') ? advisories() : offline();
if (problems === null) console.log('The registry does not answer: no advisory was checked.');
else if (problems.length === 0) console.log('The dependencies have no known problem.');
else {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
