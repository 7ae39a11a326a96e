import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The Helm chart (D112), as its own tools judge it. Without them the tests are skipped. */

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const chart = 'ops/helm/vendor-gateway';
const run = (program: string, args: readonly string[], input?: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', input, stdio: 'pipe' });

const has = (program: string, argument: string): boolean => {
  try {
    run(program, [argument]);
    return true;
  } catch {
    return false;
  }
};
const hasHelm = has('helm', 'version');
const manifests = (...values: readonly string[]): string =>
  run('helm', ['template', 'gateway', chart, '--kube-version', '1.34.0', ...values]);

test.skipIf(!hasHelm)('the chart has no fault that helm lint knows', () => {
  expect(run('helm', ['lint', '--strict', chart])).toContain('0 chart(s) failed');
});

test.skipIf(!hasHelm)('each pod runs without root, capabilities or a writable image', () => {
  const text = manifests();
  for (const setting of [
    'runAsNonRoot: true',
    'readOnlyRootFilesystem: true',
    'allowPrivilegeEscalation: false',
    'drop: [ALL]',
    'automountServiceAccountToken: false',
  ])
    expect(text.split(setting), setting).toHaveLength(4);
});

test.skipIf(!hasHelm)('no Service of the namespace sets a variable of a pod', () => {
  expect(manifests().split('enableServiceLinks: false')).toHaveLength(4);
});

test.skipIf(!hasHelm)(
  'the API, and it only, gets the folder of the key ring, and may read it',
  () => {
    const text = manifests('--set', 'api.keysSecret=gateway-keys');
    const withRing = text.split('\n---\n').filter((manifest) => manifest.includes('gateway-keys'));
    expect(withRing).toHaveLength(1);
    for (const part of [
      'app.kubernetes.io/component: api',
      'secret: { secretName: gateway-keys, defaultMode: 0440 }',
      '{ name: keys, mountPath: /keys, readOnly: true }',
      '{ name: JWT_KEYS_FILE, value: /keys/jwt-keys.json }',
    ])
      expect(withRing[0]).toContain(part);
    expect(text).not.toContain('subPath:');
    expect(manifests()).not.toContain('JWT_KEYS_FILE');
  },
);

test.skipIf(!hasHelm)('no secret is in a manifest: each process gets its own Secret', () => {
  const text = manifests();
  const named = text.match(/secretRef: \{ name: [\w-]+ \}/g);
  expect(named?.toSorted()).toEqual(
    ['api', 'migrate', 'worker'].map((name) => `secretRef: { name: vendor-gateway-${name} }`),
  );
  expect(text).not.toMatch(/DATABASE_URL|SECRETS_KEY|JWT_/);
});

test.skipIf(!hasHelm || !has('kubernetes-validate', '--version'))(
  'the manifests have the form that the API of Kubernetes wants, with and without options',
  () => {
    for (const values of [
      [],
      ['--set', 'databaseCaSecret=postgres-ca'],
      ['--set', 'api.keysSecret=gateway-keys'],
    ]) {
      const output = run('kubernetes-validate', ['--strict', '-'], manifests(...values));
      expect(output).not.toContain('ERROR');
    }
  },
);
