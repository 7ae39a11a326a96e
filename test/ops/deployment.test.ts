import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The Helm chart (D112), as its own tools judge it. Without them the tests are skipped. */

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const chart = 'ops/helm/vendor-gateway';
const run = (program: string, args: readonly string[], input?: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', input, stdio: 'pipe' });

const has = (program: string, argument: string): boolean =>
  spawnSync(program, [argument]).status === 0;
const hasHelm = has('helm', 'version');
const chartTest = test.skipIf(!hasHelm);
const manifests = (...values: readonly string[]): string =>
  run('helm', ['template', 'gateway', chart, '--kube-version', '1.34.0', ...values]);

chartTest('has no fault in the chart that helm lint knows', () => {
  expect(run('helm', ['lint', '--strict', chart])).toContain('0 chart(s) failed');
});

chartTest.each([
  'runAsNonRoot: true',
  'readOnlyRootFilesystem: true',
  'allowPrivilegeEscalation: false',
  'drop: [ALL]',
  'automountServiceAccountToken: false',
  // No Service of the namespace sets a variable of a pod.
  'enableServiceLinks: false',
])('has the setting %s in each pod', (setting) => {
  expect(manifests().split(setting)).toHaveLength(4);
});

chartTest('keeps the entry point of the image, which takes signals', () => {
  expect(manifests().match(/^ {10}(?:args|command):/gm)).toEqual(Array(3).fill('          args:'));
});

chartTest('gives the folder of the key ring to the API only, which may read it', () => {
  const text = manifests('--set', 'api.keysSecret=gateway-keys');
  const [api = '', ...others] = text
    .split('\n---\n')
    .filter((manifest) => manifest.includes('gateway-keys'));
  expect(others).toEqual([]);
  for (const part of [
    'app.kubernetes.io/component: api',
    'secret: { secretName: gateway-keys, defaultMode: 0440 }',
    '{ name: keys, mountPath: /keys, readOnly: true }',
    '{ name: JWT_KEYS_FILE, value: /keys/jwt-keys.json }',
  ])
    expect(api).toContain(part);
  expect(text).not.toContain('subPath:');
  expect(manifests()).not.toContain('JWT_KEYS_FILE');
});

chartTest('writes numbers and switches of the values as variables take them', () => {
  const text = manifests(
    '--set-json',
    'config={"RATE_LIMIT_PER_MINUTE": 1000000, "WEBHOOK_KEEP_ANSWERS": true, "VAT_RATE": 0.15}',
  );
  for (const variable of [
    '{ name: RATE_LIMIT_PER_MINUTE, value: "1000000" }',
    '{ name: WEBHOOK_KEEP_ANSWERS, value: "true" }',
    '{ name: VAT_RATE, value: "0.15" }',
  ])
    expect(text).toContain(variable);
});

chartTest.each([
  ['--set-json=image.tag=1.0', 'image.tag'],
  ['--set=config.RATE_LIMT_PER_MINUTE=5', 'RATE_LIMT_PER_MINUTE'],
  ['--set=config.DATABASE_URL=postgres://somewhere', 'DATABASE_URL'],
  ['--set=api.replica=3', 'replica'],
  ['--set=config.GATEWAY_ENVIRONMENT=Sandbox', 'config.TEMPORAL_NAMESPACE'],
])('refuses the value %s, and names it', (value, named) => {
  expect(() => manifests(value)).toThrow(named);
});

chartTest('gives a sandbox Secrets of its own, and its environment to the migration', () => {
  const text = manifests(
    '--set=config.GATEWAY_ENVIRONMENT=Sandbox,config.TEMPORAL_NAMESPACE=sandbox',
  );
  expect(text.match(/secretRef: \{ name: [\w-]+ \}/g)?.toSorted()).toEqual(
    ['api', 'migrate', 'worker'].map((of) => `secretRef: { name: vendor-gateway-sandbox-${of} }`),
  );
  const migration = text.split('\n---\n').find((each) => each.includes('scripts/migrate.ts'));
  expect(migration).toMatch(/name: GATEWAY_ENVIRONMENT\s+value: Sandbox/);
});

chartTest('has no secret in a manifest, and gives each process its own Secret', () => {
  const text = manifests();
  const named = text.match(/secretRef: \{ name: [\w-]+ \}/g);
  expect(named?.toSorted()).toEqual(
    ['api', 'migrate', 'worker'].map((name) => `secretRef: { name: vendor-gateway-${name} }`),
  );
  expect(text).not.toMatch(/DATABASE_URL|SECRETS_KEY|JWT_/);
});

test
  .skipIf(!hasHelm || !has('kubernetes-validate', '--version'))
  .each(['', '--set=databaseCaSecret=postgres-ca', '--set=api.keysSecret=gateway-keys'])(
  'writes valid manifests for the API of Kubernetes: %s',
  (value) => {
    const text = manifests(...(value === '' ? [] : [value]));
    expect(run('kubernetes-validate', ['--strict', '-'], text)).not.toContain('ERROR');
  },
);
