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
