import { expect, test } from 'vitest';
import { auditProblems, type Audited } from '../../scripts/dependency-rules.ts';

const entry = {
  version: '1.0.0',
  license: 'MIT',
  integrity: 'sha512-x',
  link: false,
  hasInstallScript: false,
  optional: false,
  os: [],
  cpu: [],
  libc: [],
};
type Entry = Audited['lock']['packages'][string];

/** A lock file of one package `part`, and one patch of it. */
const audit = (changed: Partial<Entry>, given: Partial<Audited> = {}): readonly string[] =>
  auditProblems({
    lock: { packages: { '': { ...entry }, 'node_modules/part': { ...entry, ...changed } } },
    manifest: { dependencies: { part: '1.0.0' }, devDependencies: {} },
    policy: {
      licences: ['MIT'],
      licencesOf: { 'other*': ['MPL-2.0', 'unchanged'] },
      installScripts: ['native/*'],
      severalVersions: {},
      refused: { part: ['6.6.6'] },
    },
    patches: ['part+1.0.0.patch'],
    ...given,
  });

test('dependencies that keep to the rules have no problem', () => {
  expect(audit({})).toEqual([]);
});

test.each<[string, Partial<Entry>]>([
  ['part: the licence GPL-3.0 is not accepted', { license: 'GPL-3.0' }],
  ['part: the licence none named is not accepted', { license: undefined }],
  ['part: the licence MPL-2.0 is not accepted', { license: 'MPL-2.0' }],
  ['part: has an install script that the policy does not accept', { hasInstallScript: true }],
  ['part: the lock has no integrity for 1.0.0', { integrity: undefined }],
  [
    'part: the lock has no integrity for 1.0.0',
    { integrity: undefined, optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  ],
  ['part: the lock names the address http://mirror/part', { resolved: 'http://mirror/part' }],
])('%s', (problem, changed) => {
  expect(audit(changed)).toEqual([problem]);
});

test('a build for another platform may lack its integrity', () => {
  expect(audit({ integrity: undefined, optional: true, os: ['darwin'], cpu: ['arm64'] })).toEqual(
    [],
  );
});

test('a workspace and its link are no packages of others, but its packages are', () => {
  const own = { ...entry, license: 'UNLICENSED', integrity: undefined };
  const packages = {
    'clients/own': own,
    'node_modules/own': { ...own, resolved: 'clients/own', link: true },
    'clients/own/node_modules/part': { ...entry, license: 'GPL-3.0' },
  };
  expect(audit({}, { lock: { packages }, patches: [] })).toEqual([
    'part: the licence GPL-3.0 is not accepted',
  ]);
});

test('a version that is known to be malicious is refused', () => {
  expect(audit({ version: '6.6.6' }, { patches: [] })).toEqual([
    'part: 6.6.6 is known to be malicious',
  ]);
});

/** The problem of a patch whose package is not pinned. */
const unpinned = (pinned: string, locked: string): readonly string[] => [
  `part+1.0.0.patch: pin part to exactly 1.0.0 (package.json: ${pinned}, lock: ${locked})`,
];

test('a patched package is pinned to exactly the version of its patch', () => {
  const manifest = { dependencies: { part: '^1.0.0' }, devDependencies: {} };
  expect(audit({}, { manifest })).toEqual(unpinned('^1.0.0', '1.0.0'));
  expect(audit({ version: '1.0.1' })).toEqual(unpinned('1.0.0', '1.0.1'));
});

test('one of several patches of a package is held to its version too', () => {
  expect(audit({}, { patches: ['part+1.0.0+002+holes.patch'] })).toEqual([]);
  expect(audit({}, { patches: ['part+1.0.1+002+holes.patch'] })).toEqual([
    'part+1.0.1+002+holes.patch: pin part to exactly 1.0.1 (package.json: 1.0.0, lock: 1.0.0)',
  ]);
});

test('a direct dependency has one version', () => {
  const packages = {
    'node_modules/part': { ...entry },
    'node_modules/whole/node_modules/part': { ...entry, version: '2.0.0' },
  };
  expect(audit({}, { lock: { packages } })).toEqual([
    'part: the lock has several versions: 1.0.0, 2.0.0',
  ]);
});
